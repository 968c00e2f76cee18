// Stands for a local MCP server; nothing here starts it.
