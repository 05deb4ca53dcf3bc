"""Tables for programs that read and answer in words, such as language models: in this process, or on a server."""
