{ config, lib, ... }:
let cfg = config.services.claude-code; in
{
  options.services.claude-code.mcpServers = lib.mkOption {
    type = lib.types.attrs;
    description = "Like programs.claude-code.mcpServers = { docs = { command = \"npx\"; }; }";
  };
  # programs.claude-code.mcpServers = { docs = { command = "npx"; }; };
  programs.claude-code.mcpServers = cfg.mcpServers;
  programs.mcp = { enable = true; };
  services.proxy.url = "https://proxy.corp.internal";
}
