"""Tables without a server: the kernel's own tables for the people of this device, over the messages of the page.

In a browser this runs in a worker, in Pyodide (`tavolino.offline` builds the pack); tests run it in CPython. There is
no HTTP and no SQL here: `services` gives the kernel what it needs, `log` keeps entries wherever the page keeps them,
`tables` opens and loads tables, and `worker` answers the page's requests and the commands of its sockets.
"""
