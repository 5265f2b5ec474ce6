set local check_function_bodies = off;
drop function if exists ${flyway:defaultSchema}.check_conditions;

-- Checks query items without a bound, outside the store's lock. Returns the first event that each item matches above its position,
-- and the head up to which the function searched. append_events takes both, and searches later events only.
--
-- Items that share several tags are first searched for together, without their types: most have no event with the tags.
create function ${flyway:defaultSchema}.check_conditions(
    item_afters bigint[],
    item_first_tags text[],
    item_second_tags text[],
    item_tags text[], -- arrays as text: null for items of one or two tags
    item_types text[], -- arrays as text
    -- the result of an earlier check; null: there was none
    checked_incarnation uuid,
    checked_position bigint,
    checked_event_id uuid,
    checked_matches bigint[],
    out incarnation uuid,
    out head_position bigint,
    out last_event_id uuid, -- null: the store is empty
    out matches bigint[] -- one entry an item: the event's position; 0: it matches none
)
    language plpgsql
    stable -- the head and the matches are of one snapshot
as $$
#variable_conflict use_column
declare
    known boolean;
begin
    select store.incarnation, coalesce(latest.position, 0), latest.id
    into incarnation, head_position, last_event_id
    from ${flyway:defaultSchema}.store
    left join lateral (
        select event.position, event.id
        from ${flyway:defaultSchema}.events event
        order by event.position desc
        limit 1
    ) latest on true;

    known := check_conditions.checked_position is not null
        and not exists (
            select
            from ${flyway:defaultSchema}.lost_heads(
                array[check_conditions.checked_incarnation],
                array[check_conditions.checked_position],
                array[check_conditions.checked_event_id]
            )
        )
        -- An event up to there may have got a tag since.
        and not exists (
            select
            from ${flyway:defaultSchema}.tag_additions addition
            where addition.position > check_conditions.checked_position
        );

    with wanted as materialized (
        select
            item.number,
            coalesce(
                (
                    select array_agg(each.tag order by each.tag)
                    from unnest(
                        coalesce(item.tags::text[], array_remove(array[item.first_tag, item.second_tag], null))
                    ) each (tag)
                ),
                '{}'
            ) as tags,
            item.types::text[] as types,
            case when known then greatest(item.after, check_conditions.checked_position) else item.after end as above,
            case when known then nullif(item.match, 0) end as match
        from unnest(
            check_conditions.item_first_tags,
            check_conditions.item_second_tags,
            check_conditions.item_tags,
            check_conditions.item_types,
            check_conditions.item_afters,
            check_conditions.checked_matches
        ) with ordinality item (first_tag, second_tag, tags, types, after, match, number)
    ), shared as materialized (
        select
            same.tags,
            same.above,
            (
                select carrier.position
                from ${flyway:defaultSchema}.positions_in_lists(
                    same.tags, '{}', same.above, 9223372036854775807, false, 1, false
                ) carrier (position)
            ) as first_carrier
        from (
            select wanted.tags, wanted.above
            from wanted
            where cardinality(wanted.tags) > 1
            and wanted.match is null
            group by wanted.tags, wanted.above
            having count(*) > 1
            offset 0
        ) same
    )
    select array_agg(coalesce(wanted.match, found.position, 0) order by wanted.number)
    into matches
    from wanted
    left join shared on shared.tags = wanted.tags and shared.above = wanted.above
    left join lateral (
        select listed.position
        from ${flyway:defaultSchema}.positions_in_lists(
            wanted.tags,
            wanted.types,
            coalesce(shared.first_carrier - 1, wanted.above),
            9223372036854775807,
            false,
            1,
            false
        ) listed (position)
        where wanted.match is null
        and (shared.tags is null or shared.first_carrier is not null)
        union all
        (
            select event.position
            from ${flyway:defaultSchema}.events event
            where wanted.match is null
            and cardinality(wanted.tags) = 0
            and cardinality(wanted.types) = 0
            and event.position > wanted.above
            order by event.position
            limit 1
        )
    ) found on true;
end
$$;
