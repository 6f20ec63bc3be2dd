// Starts `bt-meta dap` for each session.

const vscode = require("vscode");

function activate(context) {
  const factory = {
    createDebugAdapterDescriptor() {
      const command = vscode.workspace.getConfiguration("bt").get("command", "bt-meta");
      return new vscode.DebugAdapterExecutable(command, ["dap"]);
    },
  };
  context.subscriptions.push(vscode.debug.registerDebugAdapterDescriptorFactory("bt", factory));
}

module.exports = { activate };
