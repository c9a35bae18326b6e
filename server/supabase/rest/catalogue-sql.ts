/**
 * Reads schema `public` as one JSON text. Types are named with their schema and quotes, as `pg_catalog."int4"`, so that
 * no search path and no keyword changes what a cast to them means.
 */
export const CATALOGUE = `
with recursive bases as (
  select oid, oid as base from pg_type where typtype <> 'd'
  union all
  select d.oid, b.base from pg_type d join bases b on b.oid = d.typbasetype where d.typtype = 'd'
), named as (
  select t.oid, format('%I.%I', n.nspname, t.typname) as name from pg_type t join pg_namespace n on n.oid = t.typnamespace
), types as (
  select b.oid, json_build_object(
    'name', own.name, 'base', base.name, 'array', of.name, 'kind', t.typname,
    'domain', case when b.oid <> b.base then (select typname from pg_type d where d.oid = b.oid) end
  ) as type
  from bases b join named own on own.oid = b.oid join named base on base.oid = b.base
  join pg_type t on t.oid = b.base left join named of on of.oid = t.typarray
), relations as (
  select oid, relname, reltype from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
), keys as (
  select k.conrelid, k.confrelid, k.contype, k.conname,
    (select json_agg(a.attname order by c.place) from unnest(k.conkey) with ordinality c (num, place)
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = c.num) as columns,
    (select json_agg(a.attname order by c.place) from unnest(k.confkey) with ordinality c (num, place)
      join pg_attribute a on a.attrelid = k.confrelid and a.attnum = c.num) as referenced
  from pg_constraint k
  where k.contype in ('p', 'u', 'f') and k.conrelid in (select oid from relations) and k.conparentid = 0
)
select json_build_object(
  'tables', (select coalesce(json_agg(json_build_object(
    'name', r.relname,
    'columns', (select coalesce(json_agg(json_build_object(
        'name', a.attname, 'type', t.type,
        'default', case
          when a.attidentity <> '' then
            format('nextval(%L)', pg_get_serial_sequence(format('%I.%I', 'public', r.relname), a.attname))
          when a.attgenerated = '' then pg_get_expr(d.adbin, d.adrelid) end
      ) order by a.attnum), '[]')
      from pg_attribute a join types t on t.oid = a.atttypid
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped),
    'computed', (select coalesce(json_agg(json_build_object('name', p.proname, 'type', t.type, 'default', null) order by p.oid), '[]')
      from pg_proc p join types t on t.oid = p.prorettype
      where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and not p.proretset and p.pronargs = 1
        and p.proargtypes[0] = r.reltype),
    'primary', (select k.columns from keys k where k.conrelid = r.oid and k.contype = 'p'),
    -- Row triggers (1) before (2) a delete (8).
    'mayKeepDeleted', exists (select from pg_trigger t where t.tgrelid = r.oid and t.tgtype & 11 = 11 and not t.tgisinternal),
    'unique', (select coalesce(json_agg(k.columns), '[]') from keys k where k.conrelid = r.oid and k.contype in ('p', 'u'))
  )), '[]') from relations r),
  'foreignKeys', (select coalesce(json_agg(json_build_object(
      'name', k.conname, 'table', r.relname, 'columns', k.columns, 'target', f.relname, 'referenced', k.referenced
    ) order by k.conname), '[]')
    from keys k join relations r on r.oid = k.conrelid join relations f on f.oid = k.confrelid where k.contype = 'f'),
  'functions', (select coalesce(json_agg(json_build_object(
      'name', p.proname, 'returnsSet', p.proretset,
      'returns', case when t.typtype = 'p' and t.typname = 'void' then 'void'
        when t.typtype = 'c' or t.typname = 'record' then 'row' else 'value' end,
      'table', (select r.relname from relations r where r.reltype = p.prorettype),
      'args', (select coalesce(json_agg(json_build_object(
          'name', coalesce(p.proargnames[g.place], ''), 'type', types.type, 'mode', coalesce(p.proargmodes[g.place], 'i')
        ) order by g.place), '[]')
        from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality g (type, place)
        join types on types.oid = g.type),
      'defaults', p.pronargdefaults
    ) order by p.oid), '[]')
    from pg_proc p join pg_type t on t.oid = p.prorettype
    where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and t.typname not in ('trigger', 'event_trigger'))
)::text as catalogue`;
