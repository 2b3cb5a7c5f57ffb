"""What somebody does with a message: wants a flow, tells or changes values, stops, asks, chats.

Stands on the models (`mind`), on `lexical` and on all the folders below; only what reads whole
messages imports it.
"""
