"use strict";
// Where the binary of this machine's package is.

function binaryPath() {
  const name = `@filedeck/${process.platform}-${process.arch}`;
  const file = process.platform === "win32" ? "filedeck.exe" : "filedeck";
  try {
    return require.resolve(`${name}/bin/${file}`);
  } catch {
    throw new Error(
      `filedeck: the package ${name} is not installed. There may be none for this machine, ` +
        "or optional dependencies were left out: install without --omit=optional",
    );
  }
}

module.exports = { binaryPath };
