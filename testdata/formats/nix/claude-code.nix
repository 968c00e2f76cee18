{ config, pkgs, ... }:
{
  programs.claude-code = {
    enable = true;
    mcpServers = {
      github = {
        type = "http";
        url = "https://api.githubcopilot.com/mcp/";
      };
      docs = {
        type = "stdio";
        command = "${pkgs.nodejs}/bin/npx";
        args = [ "-y" "docs-mcp" ];
        env.DOCS_TOKEN_FILE = config.sops.secrets.docs.path;
      };
    };
  };
}
