// The TypeScript MCP SDK: a tool registered with `McpServer`, called by a client that is connected in memory.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { Refused, readObject, serve } from './protocol.mjs';
import { Schemas } from './schema.mjs';

await serve(async (name, parameters) => {
  const received = [];
  const server = new McpServer({ name: 'executor', version: '1.0.0' });
  server.registerTool(name, { inputSchema: new Schemas(parameters).object() }, (given) => {
    received.push(given);
    return { content: [] };
  });
  const client = new Client({ name: 'samecall', version: '1.0.0' });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(there), client.connect(here)]);
  return async (text) => {
    received.length = 0;
    const given = readObject(text);
    await client.callTool(given === null ? { name } : { name, arguments: given });
    if (received.length === 0) throw new Refused('not called');
    return received[0];
  };
});
