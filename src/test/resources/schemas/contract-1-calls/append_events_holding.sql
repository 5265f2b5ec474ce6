select set_config('statement_timeout', ?, true);
select appended.*
from registrar.lock_resources(?, ?) resources (held)
cross join lateral (
    select *
    from registrar.append_events(?, ?, null, null, null, ?, ?, ?, ?, ?, ?, ?, null, null, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    where resources.held
    offset 0
) appended
