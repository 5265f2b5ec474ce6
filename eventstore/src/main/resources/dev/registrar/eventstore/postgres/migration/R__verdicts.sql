set local check_function_bodies = off;
drop function if exists ${flyway:defaultSchema}.verdicts;

-- The verdicts on a group of requests some of which may not be appended, one entry a request.
--
-- A resource that another session holds decides first, then a known idempotency key, then a lost head, then conflicts and items
-- that could not be judged. In a chain, the requests after the first that is not appended are superseded.
create function ${flyway:defaultSchema}.verdicts(
    head_before bigint,
    event_counts int[],
    continues boolean[],
    held int[], -- the numbers of the requests whose resources other sessions hold
    item_requests int[],
    item_heads int[],
    lost bigint[], -- the numbers of the heads that the store has lost
    -- of conflicts
    matched_items int[],
    matched_positions bigint[],
    matched_types text[],
    open_items int[],
    -- one entry an idempotency key
    key_requests int[],
    keys text[],
    fingerprints text[],
    keys_expired_at timestamptz, -- keys recorded up to this time have expired
    out verdicts text[],
    out first_positions bigint[],
    out last_positions bigint[],
    out conflict_items int[],
    out conflict_positions bigint[],
    out conflict_types text[],
    out skipped int[] -- how many events of the requests before are not appended; null for a request that is not
)
    language plpgsql
    volatile -- locks the keys that it reads
as $$
#variable_conflict use_column
begin
    with request as (
        select given.number, given.event_count
        from unnest(verdicts.event_counts) with ordinality given (event_count, number)
    ), conflict as (
        select distinct on (verdicts.item_requests[match.item])
            verdicts.item_requests[match.item] as request, match.item, match.position, match.type
        from unnest(verdicts.matched_items, verdicts.matched_positions, verdicts.matched_types) match (item, position, type)
        order by verdicts.item_requests[match.item], match.item, match.position
    ), undecided as (
        select verdicts.item_requests[open.item] as request, min(open.item) as item
        from unnest(verdicts.open_items) open (item)
        group by 1
    ), earlier as (
        select
            given.request,
            given.fingerprint = known.fingerprint as same,
            known.first_position,
            known.last_position
        from unnest(verdicts.key_requests, verdicts.keys, verdicts.fingerprints)
            given (request, key, fingerprint)
        cross join lateral (
            select stored.fingerprint, stored.first_position, stored.last_position
            from ${flyway:defaultSchema}.idempotency_keys stored
            where stored.key = given.key
            and stored.recorded_at > verdicts.keys_expired_at
            -- This lock is a write: so the commit waits until synchronous standbys have the append that the answer repeats.
            for key share
        ) known
    ), replaced as (
        select item.request
        from unnest(verdicts.item_requests, verdicts.item_heads) item (request, head)
        where item.head = any (verdicts.lost)
    ), judged as (
        select
            request.number,
            case
                when request.number = any (verdicts.held) then 'resource-held'
                when earlier.same then 'repeated'
                when earlier.request is not null then 'key-reused'
                when request.number in (select replaced.request from replaced) then 'replaced'
                -- A conflict names the first item that matches, so an undecided item before it makes the request suspected.
                when undecided.item < coalesce(conflict.item, 2147483647) then 'suspected'
                when conflict.item is not null then 'conflict'
                else 'appended'
            end as verdict,
            request.event_count,
            earlier.first_position,
            earlier.last_position,
            conflict.item,
            conflict.position,
            conflict.type
        from request
        left join earlier on earlier.request = request.number
        left join conflict on conflict.request = request.number
        left join undecided on undecided.request = request.number
    ), chained as (
        -- A chain begins with a request that continues no other, and breaks at the first request that is not appended.
        select
            *,
            bool_or(verdict <> 'appended') over (
                partition by chain
                order by number
                rows between unbounded preceding and 1 preceding
            ) as broken
        from (
            select
                *,
                count(*) filter (where not verdicts.continues[number]) over (order by number) as chain
            from judged
        ) linked
    ), settled as (
        -- If a chain breaks at a suspected request, the caller sends the whole chain again.
        select
            number,
            event_count,
            case
                when bool_or(verdict = 'suspected' and broken is not true) over (partition by chain) then 'suspected'
                when broken then 'superseded'
                else verdict
            end as verdict,
            first_position,
            last_position,
            item,
            position,
            type
        from chained
    ), placed as (
        select
            *,
            sum(case when verdict = 'appended' then 0 else event_count end) over (order by number) as skipped_so_far,
            verdicts.head_before + sum(case when verdict = 'appended' then event_count else 0 end) over (order by number) as reached
        from settled
    )
    select
        array_agg(verdict order by number),
        array_agg(case when verdict = 'appended' then reached - event_count + 1 else first_position end order by number),
        array_agg(case when verdict = 'appended' then reached else last_position end order by number),
        array_agg(item order by number),
        array_agg(position order by number),
        array_agg(type order by number),
        array_agg(case when verdict = 'appended' then skipped_so_far end order by number)
    into verdicts, first_positions, last_positions, conflict_items, conflict_positions, conflict_types, skipped
    from placed;
end
$$;
