"""Every message that crosses the wire, typed once.

The browser's TypeScript types are generated from this file (`python -m tavolino.server.typescript`), the
OpenAPI page too. Unknown fields are refused, so that a misspelt key is an error and never silence.

Three families:

* *commands*: what a person asks of a table. The same message goes over the WebSocket, or in the body of
  `POST /api/tables/{table}/commands`. No command names the person or the seat it comes from: a seat
  belongs to the identity at the handshake, never to a field of a message.
* *news*: what a table tells one viewer. Built in one place, `outgoing.py`.
* *bodies and answers* of the other HTTP routes.

No message holds prose: texts are keys of the catalogues with parameters.
"""

from tavolino.server.protocol.bodies import (
    BODY_TYPES as BODY_TYPES,
)
from tavolino.server.protocol.bodies import (
    Frame as Frame,
)
from tavolino.server.protocol.bodies import (
    Frames as Frames,
)
from tavolino.server.protocol.bodies import (
    Game as Game,
)
from tavolino.server.protocol.bodies import (
    Lesson as Lesson,
)
from tavolino.server.protocol.bodies import (
    Me as Me,
)
from tavolino.server.protocol.bodies import (
    MyTables as MyTables,
)
from tavolino.server.protocol.bodies import (
    NewName as NewName,
)
from tavolino.server.protocol.bodies import (
    OpenTable as OpenTable,
)
from tavolino.server.protocol.bodies import (
    Option as Option,
)
from tavolino.server.protocol.bodies import (
    PlayNow as PlayNow,
)
from tavolino.server.protocol.bodies import (
    ReturnCode as ReturnCode,
)
from tavolino.server.protocol.bodies import (
    ReturnLink as ReturnLink,
)
from tavolino.server.protocol.bodies import (
    Rule as Rule,
)
from tavolino.server.protocol.bodies import (
    RulesPage as RulesPage,
)
from tavolino.server.protocol.bodies import (
    RulesSection as RulesSection,
)
from tavolino.server.protocol.bodies import (
    TableCard as TableCard,
)
from tavolino.server.protocol.bodies import (
    Tutorial as Tutorial,
)
from tavolino.server.protocol.commands import (
    COMMAND_TYPES as COMMAND_TYPES,
)
from tavolino.server.protocol.commands import (
    AddSalt as AddSalt,
)
from tavolino.server.protocol.commands import (
    AgreeEnd as AgreeEnd,
)
from tavolino.server.protocol.commands import (
    AskHint as AskHint,
)
from tavolino.server.protocol.commands import (
    AskNotebook as AskNotebook,
)
from tavolino.server.protocol.commands import (
    AskRematch as AskRematch,
)
from tavolino.server.protocol.commands import (
    Back as Back,
)
from tavolino.server.protocol.commands import (
    Command as Command,
)
from tavolino.server.protocol.commands import (
    Hello as Hello,
)
from tavolino.server.protocol.commands import (
    Join as Join,
)
from tavolino.server.protocol.commands import (
    Kick as Kick,
)
from tavolino.server.protocol.commands import (
    Leave as Leave,
)
from tavolino.server.protocol.commands import (
    MakeRemark as MakeRemark,
)
from tavolino.server.protocol.commands import (
    Move as Move,
)
from tavolino.server.protocol.commands import (
    Mute as Mute,
)
from tavolino.server.protocol.commands import (
    Ping as Ping,
)
from tavolino.server.protocol.commands import (
    React as React,
)
from tavolino.server.protocol.commands import (
    Resign as Resign,
)
from tavolino.server.protocol.commands import (
    Say as Say,
)
from tavolino.server.protocol.commands import (
    SetBot as SetBot,
)
from tavolino.server.protocol.commands import (
    Settings as Settings,
)
from tavolino.server.protocol.commands import (
    Sit as Sit,
)
from tavolino.server.protocol.commands import (
    StandIn as StandIn,
)
from tavolino.server.protocol.commands import (
    Start as Start,
)
from tavolino.server.protocol.news import (
    Accepted as Accepted,
)
from tavolino.server.protocol.news import (
    Closing as Closing,
)
from tavolino.server.protocol.news import (
    Hint as Hint,
)
from tavolino.server.protocol.news import (
    News as News,
)
from tavolino.server.protocol.news import (
    Notebook as Notebook,
)
from tavolino.server.protocol.news import (
    Play as Play,
)
from tavolino.server.protocol.news import (
    Pong as Pong,
)
from tavolino.server.protocol.news import (
    Refused as Refused,
)
from tavolino.server.protocol.news import (
    TableNews as TableNews,
)
from tavolino.server.protocol.news import (
    Talk as Talk,
)
from tavolino.server.protocol.pieces import (
    MAX_TEXT as MAX_TEXT,
)
from tavolino.server.protocol.pieces import (
    Body as Body,
)
from tavolino.server.protocol.pieces import (
    Clock as Clock,
)
from tavolino.server.protocol.pieces import (
    Count as Count,
)
from tavolino.server.protocol.pieces import (
    Ending as Ending,
)
from tavolino.server.protocol.pieces import (
    Eyes as Eyes,
)
from tavolino.server.protocol.pieces import (
    Fairness as Fairness,
)
from tavolino.server.protocol.pieces import (
    HowEnded as HowEnded,
)
from tavolino.server.protocol.pieces import (
    Language as Language,
)
from tavolino.server.protocol.pieces import (
    Level as Level,
)
from tavolino.server.protocol.pieces import (
    Line as Line,
)
from tavolino.server.protocol.pieces import (
    Message as Message,
)
from tavolino.server.protocol.pieces import (
    Name as Name,
)
from tavolino.server.protocol.pieces import (
    OptionValue as OptionValue,
)
from tavolino.server.protocol.pieces import (
    Outcome as Outcome,
)
from tavolino.server.protocol.pieces import (
    Phase as Phase,
)
from tavolino.server.protocol.pieces import (
    Problem as Problem,
)
from tavolino.server.protocol.pieces import (
    Prompt as Prompt,
)
from tavolino.server.protocol.pieces import (
    Reaction as Reaction,
)
from tavolino.server.protocol.pieces import (
    Readiness as Readiness,
)
from tavolino.server.protocol.pieces import (
    Ref as Ref,
)
from tavolino.server.protocol.pieces import (
    Remark as Remark,
)
from tavolino.server.protocol.pieces import (
    Said as Said,
)
from tavolino.server.protocol.pieces import (
    Salt as Salt,
)
from tavolino.server.protocol.pieces import (
    Seat as Seat,
)
from tavolino.server.protocol.pieces import (
    SeatKind as SeatKind,
)
from tavolino.server.protocol.pieces import (
    SeatNumber as SeatNumber,
)
from tavolino.server.protocol.pieces import (
    SecondsPerMove as SecondsPerMove,
)
from tavolino.server.protocol.pieces import (
    Table as Table,
)
from tavolino.server.protocol.pieces import (
    View as View,
)
from tavolino.server.protocol.pieces import (
    You as You,
)
