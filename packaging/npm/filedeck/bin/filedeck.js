#!/usr/bin/env node
"use strict";
// Runs the binary, passes signals on to it, and ends as it does.

const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const { isatty } = require("node:tty");

let path;
try {
  path = require("..").binaryPath();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
const child = spawn(path, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (error) => {
  console.error(`filedeck: ${path} does not start: ${error.message}`);
  process.exitCode = 1;
});
child.on("exit", (code, signal) => {
  process.exitCode = code ?? 128 + constants.signals[signal];
});
// A terminal sends these to the binary too, and a second one would end it at once.
const inTerminal = [0, 1, 2].some((stream) => isatty(stream));
for (const signal of ["SIGHUP", "SIGINT", "SIGQUIT"]) {
  process.on(signal, () => inTerminal || child.kill(signal));
}
process.on("SIGTERM", () => child.kill("SIGTERM"));
