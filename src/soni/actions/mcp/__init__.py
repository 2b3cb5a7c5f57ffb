"""Tools of MCP servers as actions. The package `mcp` is imported when a server is first used."""
