// Starts a filedeck on a free port. Test files run side by side, so each starts its own.
const { spawn } = require("node:child_process");
const { mkdtempSync, existsSync, readFileSync, rmSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { setTimeout: pause } = require("node:timers/promises");

async function start() {
  const folder = mkdtempSync(join(tmpdir(), "filedeck-jest-"));
  const ready = join(folder, "ready.json");
  const program = process.env.FILEDECK ?? "filedeck";
  const words = ["serve", "--listen", "127.0.0.1:0", "--ready-file", ready, "--exit-with-parent", "--test-api", "--strict"];
  const child = spawn(program, words, { stdio: ["ignore", "ignore", "inherit"] });
  let failure;
  const ended = new Promise((resolve) => {
    child.once("error", (error) => resolve((failure = error)));
    child.once("exit", (code) => resolve((failure = new Error(`filedeck ended with ${code}`))));
  });
  for (const end = Date.now() + 20_000; !existsSync(ready); await pause(10)) {
    if (failure) throw failure;
    if (Date.now() > end) throw new Error("filedeck was not ready in time");
  }
  const { baseUrl, token, testApi } = JSON.parse(readFileSync(ready, "utf8"));
  const fetchWithToken = (url, init) =>
    fetch(url, { ...init, headers: { ...init?.headers, authorization: `Bearer ${token}` } });

  return {
    // A call of the API, by its path.
    call: (path, init) => fetchWithToken(baseUrl + path, init),
    // A call of the test API, by its last word.
    async steer(method, word, body) {
      const headers = { "content-type": "application/json" };
      const answer = await fetchWithToken(`${testApi}/${word}`, { method, headers, body: body && JSON.stringify(body) });
      if (!answer.ok) throw new Error(await answer.text());
      return answer.status === 204 ? undefined : answer.json();
    },
    async stop() {
      child.kill();
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

module.exports = { start };
