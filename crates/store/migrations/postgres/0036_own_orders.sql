-- Begins an order in one round trip. It takes the lock of the account's orders first, and reads after it. If the key has
-- an answer, returns that; otherwise reserves a place if fewer than `most` orders of the account run and this one does
-- not. Orders of dead nodes, those that lasted too long, and those of this key by the node itself do not count: a node runs
-- one order of a key at a time, so it could not end the earlier one. The row of the same key is taken over, and the others
-- are deleted.
CREATE OR REPLACE FUNCTION begin_order(bettor BIGINT, order_key BYTEA, node BIGINT, lasts_seconds FLOAT8, most BIGINT)
RETURNS TABLE (digest BYTEA, status BIGINT, body BYTEA, running BIGINT, is_running BOOLEAN)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended(
        current_schema() || encode('order'::bytea || int8send(bettor), 'hex'), 11));
    RETURN QUERY
    WITH found AS MATERIALIZED (
        SELECT key, until < clock_timestamp() OR (node_id = node AND key = order_key) OR (node_id <> node AND NOT EXISTS (
            SELECT FROM nodes WHERE id = node_id AND seen_at > clock_timestamp() - interval '5 s')) AS is_over
        FROM running_orders WHERE account_id = bettor),
    counted AS (
        SELECT count(*) AS running, COALESCE(bool_or(key = order_key), false) AS is_running
        FROM found WHERE NOT is_over),
    answer AS MATERIALIZED (
        SELECT digest, status, body FROM answers WHERE account_id = bettor AND key = order_key),
    deleted AS (
        DELETE FROM running_orders WHERE account_id = bettor AND key <> order_key
        AND key IN (SELECT key FROM found WHERE is_over)),
    begun AS (
        INSERT INTO running_orders (account_id, key, node_id, until)
        SELECT bettor, order_key, node, clock_timestamp() + make_interval(secs => lasts_seconds)
        FROM counted WHERE NOT is_running AND running < most AND NOT EXISTS (SELECT FROM answer)
        ON CONFLICT (account_id, key) DO UPDATE SET node_id = EXCLUDED.node_id, until = EXCLUDED.until)
    SELECT answer.digest, answer.status, answer.body, counted.running, counted.is_running
    FROM counted LEFT JOIN answer ON true;
END
$$;
