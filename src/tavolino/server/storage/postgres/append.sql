-- Appends to many tables in one statement. Lists of one length each: of tables, of entries, of people.
    WITH item AS (
        SELECT * FROM unnest(
            :ids::text[], :befores::integer[], :chains_before::bytea[], :lasts::integer[], :chains::bytea[],
            :games::text[], :phases::text[], :publics::boolean[], :changed::bigint[], :witnessed::bigint[],
            :wakings::boolean[], :cards::bytea[], :have_members::boolean[], :epochs::bigint[]
        ) AS t (
            id, before, chain_before, last, chain,
            game, phase, public, changed, witnessed,
            needs_waking, card, has_members, epoch
        )
    ), made AS (
        INSERT INTO tables (id, game, phase, public, changed, witnessed, needs_waking, card, last, chain, driver, epoch)
        SELECT id, game, phase, public, coalesce(changed, 0), witnessed, needs_waking, card, last, chain, :driver, :epoch
        FROM item WHERE before = 0 ON CONFLICT (id) DO NOTHING RETURNING id
    ), followed AS (
        UPDATE tables SET phase = item.phase, public = item.public, card = item.card,
            changed = coalesce(item.changed, tables.changed),
            witnessed = item.witnessed, needs_waking = item.needs_waking, last = item.last, chain = item.chain
        FROM item WHERE tables.id = item.id AND item.before > 0
            AND tables.last = item.before AND tables.chain = item.chain_before
            AND (item.epoch = 0 OR tables.epoch = item.epoch)
        RETURNING tables.id
    ), done AS (
        SELECT id FROM made UNION ALL SELECT id FROM followed
    ), written AS (
        INSERT INTO entries SELECT id, number, entry
        FROM unnest(:entry_ids::text[], :numbers::integer[], :entries::bytea[]) AS t (id, number, entry)
            JOIN done USING (id)
    ), seated AS (
        SELECT person, id FROM unnest(:people::text[], :seated_ids::text[]) AS t (person, id) JOIN done USING (id)
    ), left_table AS (
        DELETE FROM members USING item JOIN done USING (id) WHERE has_members AND table_id = id
            AND NOT EXISTS (SELECT FROM seated WHERE seated.id = table_id AND seated.person = members.person)
    ), joined AS (
        INSERT INTO members SELECT person, id FROM seated ON CONFLICT DO NOTHING
    )
    SELECT id FROM done
