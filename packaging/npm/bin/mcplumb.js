#!/usr/bin/env node
// Starts the program of this system, from the package that npm has installed for it, and behaves
// like that program for its caller: arguments, streams, signals, and the way it ends.
"use strict";
const { spawn } = require("child_process");
const { constants } = require("os");
const { isatty } = require("tty");

const incomplete = 3; // mcplumb's exit code for what could not be checked: never 0, which is good news
const name = `@mcplumb/cli-${process.platform}-${process.arch}`;

let program = process.env.MCPLUMB_BINARY;
if (!program) {
  try {
    program = require.resolve(`${name}/bin/mcplumb${process.platform === "win32" ? ".exe" : ""}`);
  } catch {
    console.error(`mcplumb: ${name} is not installed, which has the program for this system.
If there is such a package: do not install with --omit=optional. Where node_modules or package-lock.json
come from another system, remove both and install again.`);
    process.exit(incomplete);
  }
}

let child; // a signal that comes before it is here is handed over when it is
const terminal = [0, 1, 2].some((stream) => isatty(stream));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"]) {
  process.on(signal, () => {
    // Ctrl-C reaches the program by itself, and a second one would end it at once.
    if (signal !== "SIGINT" || !terminal) child.kill(signal);
  });
}
child = spawn(program, process.argv.slice(2), { stdio: "inherit", windowsHide: true });
child.on("error", (error) => {
  console.error(`mcplumb: ${error.message}`);
  process.exit(incomplete);
});
child.on("exit", (code, signal) => {
  if (!signal) process.exit(code);
  process.exitCode = 128 + constants.signals[signal]; // where Node.js ignores the signal, as SIGPIPE
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
