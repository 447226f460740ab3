-- Orders that took longer than two seconds, by customer, in the last 30 days.
WITH late AS (
    SELECT customer_id, confirmed_at - placed_at AS took
    FROM orders
    WHERE placed_at > now() - INTERVAL '30 days'
      AND confirmed_at - placed_at > INTERVAL '2 seconds'
)
SELECT c.name,
       count(*)                                            AS late_orders,
       max(took)                                           AS worst,
       round(100.0 * count(*) / sum(count(*)) OVER (), 1)  AS share
FROM late
JOIN customers AS c ON c.id = late.customer_id
GROUP BY c.name
ORDER BY late_orders DESC
LIMIT 20;
