"""An assistant as an MCP server: its flows are tools."""
