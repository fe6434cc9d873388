//! A proxy on loopback that counts requests, loses responses and refuses in the service's words.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What becomes of the next request.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Fate {
    /// It is carried out, and its response never arrives.
    LoseResponse,
    /// It is carried out, after so long.
    Delay(Duration),
    /// It is not carried out, and this is the error.
    Refuse(&'static str),
}

#[derive(Default)]
struct State {
    fates: Mutex<VecDeque<Fate>>,
    requests: AtomicUsize,
    lost: AtomicUsize,
}

/// A running proxy; it ends with the test's runtime.
pub(crate) struct Proxy {
    state: Arc<State>,
    url: String,
}

impl Proxy {
    /// Starts a proxy before a server.
    pub(crate) async fn before(url: &str) -> Self {
        let server = url.trim_start_matches("http://").trim_end_matches('/').to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let state = Arc::new(State::default());
        let shared = state.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (server, state) = (server.clone(), shared.clone());
                // A connection that breaks is the client's to notice.
                tokio::spawn(async move { serve(client, &server, &state).await });
            }
        });
        Proxy { state, url }
    }

    pub(crate) fn url(&self) -> String {
        self.url.clone()
    }

    /// Decides on the next request that has no fate yet.
    pub(crate) fn next(&self, fate: Fate) {
        self.state.fates.lock().unwrap().push_back(fate);
    }

    /// Requests since the last time that this was asked.
    pub(crate) fn take_count(&self) -> usize {
        self.state.requests.swap(0, Ordering::SeqCst)
    }

    /// Responses that were lost.
    pub(crate) fn lost(&self) -> usize {
        self.state.lost.load(Ordering::SeqCst)
    }
}

/// Reads one message: its head, and as much body as `content-length` says. None at the end of the stream.
async fn message(stream: &mut TcpStream) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let head = loop {
        if let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break at + 4;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let text = String::from_utf8_lossy(&bytes[..head]).to_lowercase();
    let length = text.lines().find_map(|line| line.strip_prefix("content-length:"));
    let length: usize = length.and_then(|length| length.trim().parse().ok()).unwrap_or(0);
    while bytes.len() < head + length {
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
    Some(bytes)
}

/// One request at a time, each over a connection of its own to the server.
async fn serve(mut client: TcpStream, server: &str, state: &State) -> Option<()> {
    while let Some(request) = message(&mut client).await {
        state.requests.fetch_add(1, Ordering::SeqCst);
        let fate = state.fates.lock().unwrap().pop_front();
        if let Some(Fate::Refuse(code)) = fate {
            let body = format!(
                r#"{{"__type":"com.amazonaws.dynamodb.v20120810#{code}","message":"refused"}}"#
            );
            let head = format!(
                "HTTP/1.1 400 Bad Request\r\ncontent-type: application/x-amz-json-1.0\r\ncontent-length: {}\r\n\r\n",
                body.len()
            );
            client.write_all((head + &body).as_bytes()).await.ok()?;
            continue;
        }
        if let Some(Fate::Delay(length)) = fate {
            tokio::time::sleep(length).await;
        }
        let mut upstream = TcpStream::connect(server).await.ok()?;
        upstream.write_all(&request).await.ok()?;
        let response = message(&mut upstream).await?;
        if let Some(Fate::LoseResponse) = fate {
            state.lost.fetch_add(1, Ordering::SeqCst);
            return None;
        }
        client.write_all(&response).await.ok()?;
    }
    Some(())
}
