"""The messages of a table and of a server without features, typed once. Features declare theirs in their folders.

What a feature adds to one of these messages, such as a field of `Seat`, stands here. The browser's TypeScript types are
generated from all messages (`python -m tavolino.server.typescript`), the OpenAPI description too. Unknown fields are
refused, so that a misspelt key is an error and never silence.

Three families:

* *commands*: what a person asks of a table. The same message goes over the WebSocket, or in the body of
  `POST /api/tables/{table}/commands`. No command names the person or the seat it comes from: a seat
  belongs to the identity at the handshake, never to a field of a message.
* *server messages*: what a table tells one viewer. Built in one place, `kernel/messages.py`.
* *bodies and answers* of the other HTTP routes.

No message holds prose: texts are keys of the catalogues with parameters.
"""

from tavolino.server.protocol.commands import *  # noqa: F403
from tavolino.server.protocol.common import *  # noqa: F403
from tavolino.server.protocol.http_models import *  # noqa: F403
from tavolino.server.protocol.profiles import *  # noqa: F403
from tavolino.server.protocol.server_messages import *  # noqa: F403
