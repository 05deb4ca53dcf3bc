-- Appends to many tables in one statement: INSERT INTO appended SELECT value FROM json_each(:items).
-- An item is an object; bytes are written as hex. Members can change only before and after a game, and are null
-- during a game. `changed` is null if nobody may notice the entries.
CREATE TEMP VIEW appended AS SELECT NULL AS item;
CREATE TEMP TRIGGER append_item INSTEAD OF INSERT ON appended BEGIN
    SELECT raise(ABORT, 'this number does not follow on the last one') WHERE
        coalesce(
            (SELECT max(number) FROM entries WHERE table_id = NEW.item ->> 'table'),
            (SELECT compacted FROM tables WHERE id = NEW.item ->> 'table'),
            0
        ) <> (NEW.item ->> 'number') - 1;

    INSERT INTO entries SELECT NEW.item ->> 'table', (NEW.item ->> 'number') + key, unhex(value)
        FROM json_each(NEW.item, '$.entries');

    INSERT INTO tables (id, game, phase, public, changed, witnessed, needs_waking, card, last, chain)
        VALUES (
            NEW.item ->> 'table', NEW.item ->> 'game', NEW.item ->> 'phase', NEW.item ->> 'public',
            coalesce(NEW.item ->> 'changed', 0), NEW.item ->> 'witnessed', NEW.item ->> 'needs_waking',
            unhex(NEW.item ->> 'card'), NEW.item ->> 'last', unhex(NEW.item ->> 'chain')
        )
        ON CONFLICT (id) DO UPDATE SET
            phase = excluded.phase, public = excluded.public, card = excluded.card,
            changed = coalesce(NEW.item ->> 'changed', changed), witnessed = excluded.witnessed,
            needs_waking = excluded.needs_waking, last = excluded.last, chain = excluded.chain;

    DELETE FROM members WHERE NEW.item ->> 'members' IS NOT NULL AND table_id = NEW.item ->> 'table';
    INSERT OR IGNORE INTO members SELECT value, NEW.item ->> 'table' FROM json_each(NEW.item, '$.members')
        WHERE value IS NOT NULL;

    SELECT raise(ABORT, 'there is an item of this name') FROM items
        WHERE person = NEW.item ->> '$.item.person' AND name = NEW.item ->> '$.item.name';
    INSERT INTO items SELECT NEW.item ->> '$.item.person', NEW.item ->> '$.item.name', unhex(NEW.item ->> '$.item.content')
        WHERE NEW.item ->> 'item' IS NOT NULL;
END;
