"""The wire contract of Gin Arena, generated from the .proto files beside it."""
