-- Nothing to do: a file has one node.
SELECT 1;
