"""The flow stack, the slot writer, and moving through a flow's steps."""
