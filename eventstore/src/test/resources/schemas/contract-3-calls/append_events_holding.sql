select set_config('statement_timeout', ?, true);
select appended.*
from registrar.lock_resources_2(?, ?) resources (held)
cross join lateral (
    select *
    from registrar.append_events_3(event_counts => ?, continues => ?, event_requests => ?, event_ids => ?, event_types => ?, event_tags => ?, event_payloads => ?, event_metadata => ?, recorded_at => ?, tag_events => ?, tags => ?, item_requests => ?, item_afters => ?, item_heads => ?, item_first_tags => ?, item_second_tags => ?, item_tags => ?, item_types => ?, key_requests => ?, key_first_events => ?, key_last_events => ?, keys => ?, fingerprints => ?, keys_retention => ?)
    where resources.held
    offset 0
) appended
