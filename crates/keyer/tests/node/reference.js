// The AgentForge key and an RFC 8785 writer in JavaScript. The differential test runs this file in one process:
// each line of standard input is a JSON object with "tool" and "arguments", each answer one JSON line.
const { createHash } = require("node:crypto");
const readline = require("node:readline");

const digest = (text) => createHash("sha256").update(text, "utf8").digest("hex").slice(0, 32);

function agentforge(tool, text) {
  const value = JSON.parse(text);
  return digest(`${tool}:${JSON.stringify(value, Object.keys(value).sort())}`);
}

// RFC 8785 defines its form as what this writes: JSON.stringify of scalars, names sorted by UTF-16 unit.
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`);
  return `{${members.join(",")}}`;
}

function guarded(make) {
  try {
    return make();
  } catch (error) {
    return `!${error.name}`;
  }
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const { tool, arguments: text } = JSON.parse(line);
  const answer = {
    agentforge: guarded(() => agentforge(tool, text)),
    jcs: guarded(() => digest(`${tool}|${canonical(JSON.parse(text))}`)),
  };
  process.stdout.write(JSON.stringify(answer) + "\n");
});
