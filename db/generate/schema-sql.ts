import type { Database } from "../../server/database/database.ts";

/** PostgreSQL's own schemas, and the list of applied migrations. */
const NOT_SHOWN = "n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'migrations')";

/** One or more statements about one object, with the name by which they are sorted. */
interface Part {
  name: string;
  sql: string;
}

/**
 * Returns the whole schema of a database as SQL: types, tables with their indexes, policies, triggers and grants, then
 * functions; each group is sorted by name. Read from the catalogue, because the database's npm package has no pg_dump.
 */
export async function schemaSql(db: Database): Promise<string> {
  return db.transaction(async (tx) => {
    // With an empty search path, every name is written with its schema.
    await tx.exec("set local search_path = ''");
    const parts = async (sql: string) => (await tx.query<Part>(sql)).rows.map((row) => row.sql);
    const tables = (await tx.query<Part>(TABLES)).rows;
    const details = (await tx.query<Part>(DETAILS)).rows;
    return [
      "-- The schema as the migrations make it, for reading and comparing. It is never run.",
      ...(await parts(SCHEMAS)),
      ...(await parts(TYPES)),
      ...(await parts(SEQUENCES)),
      ...tables.flatMap((table) => [table, ...details.filter(({ name }) => name === table.name)].map(({ sql }) => sql)),
      ...(await parts(FUNCTIONS)),
      ...(await parts(PUBLICATIONS)),
      "",
    ].join("\n");
  });
}

/** Selects the grants in an access list, one statement per grantee, without the owner's implicit ones. */
const grants = (acl: string, owner: string, kind: string, name: string) => `(
  select string_agg(line, E'\\n' order by line) from (
    select format('grant %s on ${kind} %s to %s;', string_agg(lower(g.privilege_type), ', ' order by g.privilege_type),
      ${name}, case g.grantee when 0 then 'public' else pg_catalog.pg_get_userbyid(g.grantee) end) as line
    from pg_catalog.aclexplode(${acl}) g where g.grantee <> ${owner} group by g.grantee
  ) lines)`;

const comment = (of: string, catalogue: string, kind: string, name: string) =>
  `(select format('comment on ${kind} %s is %L;', ${name}, d.description) from pg_catalog.pg_description d
    where d.objoid = ${of} and d.classoid = 'pg_catalog.${catalogue}'::pg_catalog.regclass and d.objsubid = 0)`;

const lines = (...all: string[]) => `concat_ws(E'\\n', ${all.join(", ")})`;

const SCHEMAS = `
  select n.nspname as name, ${lines(
    "format(E'\\ncreate schema %I;', n.nspname)",
    comment("n.oid", "pg_namespace", "schema", "quote_ident(n.nspname)"),
    grants("n.nspacl", "n.nspowner", "schema", "quote_ident(n.nspname)"),
  )} as sql
  from pg_catalog.pg_namespace n where ${NOT_SHOWN} order by n.nspname collate "C"`;

const TYPES = `
  select t.oid::regtype::text as name, ${lines(
    `case t.typtype
      when 'e' then format(E'\\ncreate type %s as enum (%s);', t.oid::regtype,
        (select string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder) from pg_catalog.pg_enum e where e.enumtypid = t.oid))
      else format(E'\\ncreate domain %s as %s%s%s%s;', t.oid::regtype, pg_catalog.format_type(t.typbasetype, t.typtypmod),
        (select format(' collate %I', c.collname) from pg_catalog.pg_collation c
          join pg_catalog.pg_type b on b.oid = t.typbasetype where c.oid = t.typcollation and t.typcollation <> b.typcollation),
        ' default ' || t.typdefault,
        (select string_agg(format(E'\\n  constraint %I %s', c.conname, pg_catalog.pg_get_constraintdef(c.oid)), '' order by c.conname collate "C")
          from pg_catalog.pg_constraint c where c.contypid = t.oid)) end`,
    comment("t.oid", "pg_type", "type", "t.oid::regtype"),
  )} as sql
  from pg_catalog.pg_type t join pg_catalog.pg_namespace n on n.oid = t.typnamespace
  where ${NOT_SHOWN} and t.typtype in ('d', 'e') order by n.nspname collate "C", t.typname collate "C"`;

const SEQUENCES = `
  select c.relname as name, ${lines(
    `format(E'\\ncreate sequence %s as %s start %s increment %s;', c.oid::regclass, pg_catalog.format_type(s.seqtypid, null), s.seqstart, s.seqincrement)`,
    comment("c.oid", "pg_class", "sequence", "c.oid::regclass"),
    grants("c.relacl", "c.relowner", "sequence", "c.oid::regclass"),
  )} as sql
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace join pg_catalog.pg_sequence s on s.seqrelid = c.oid
  where ${NOT_SHOWN} and not exists (select from pg_catalog.pg_depend d where d.objid = c.oid and d.deptype in ('i', 'a'))
  order by n.nspname collate "C", c.relname collate "C"`;

const RELATIONS = `pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where ${NOT_SHOWN} and c.relkind in ('r', 'p', 'v')`;
const BY_NAME = `order by n.nspname collate "C", c.relname collate "C"`;

const TABLES = `
  select c.oid::regclass::text as name, ${lines(
    `case c.relkind when 'v' then format(E'\\ncreate view %s%s as\\n%s', c.oid::regclass,
        ' with (' || array_to_string(c.reloptions, ', ') || ')', pg_catalog.pg_get_viewdef(c.oid))
      else format(E'\\ncreate table %s (\\n%s\\n)%s;', c.oid::regclass, (
        select string_agg('  ' || line, E',\\n' order by rank, place, line collate "C") from (
          select 1 as rank, a.attnum as place, concat(quote_ident(a.attname), ' ', pg_catalog.format_type(a.atttypid, a.atttypmod),
            case a.attidentity when 'a' then ' generated always as identity' when 'd' then ' generated by default as identity' end,
            case a.attgenerated when 's' then format(' generated always as (%s) stored', pg_catalog.pg_get_expr(d.adbin, d.adrelid))
              else ' default ' || pg_catalog.pg_get_expr(d.adbin, d.adrelid) end,
            case when a.attnotnull then ' not null' end) as line
          from pg_catalog.pg_attribute a left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          union all
          -- Newer versions keep "not null" as a constraint, too.
          select 2, 0, format('constraint %I %s', k.conname, pg_catalog.pg_get_constraintdef(k.oid))
          from pg_catalog.pg_constraint k where k.conrelid = c.oid and k.contype in ('c', 'f', 'p', 'u', 'x')
        ) lines), (
        select format(E'\\n  partition by %s', pg_catalog.pg_get_partkeydef(c.oid)) where c.relkind = 'p')) end`,
    `case when c.relispartition then format('-- A partition: %s', pg_catalog.pg_get_expr(c.relpartbound, c.oid)) end`,
    `case when c.relpersistence = 'u' then '-- Not logged.' end`,
    `case when c.reloptions is not null and c.relkind <> 'v' then format('alter table %s set (%s);', c.oid::regclass, array_to_string(c.reloptions, ', ')) end`,
    comment("c.oid", "pg_class", "table", "c.oid::regclass"),
    `(select string_agg(format('comment on column %s.%I is %L;', c.oid::regclass, a.attname, d.description), E'\\n' order by a.attnum)
      from pg_catalog.pg_attribute a join pg_catalog.pg_description d on d.objoid = a.attrelid and d.objsubid = a.attnum
        and d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)`,
    `case when c.relrowsecurity then format('alter table %s enable row level security;', c.oid::regclass) end`,
    grants("c.relacl", "c.relowner", "table", "c.oid::regclass"),
    `(select string_agg(line, E'\\n' order by line collate "C") from (
      select format('grant %s (%s) on table %s to %s;', lower(g.privilege_type), string_agg(quote_ident(a.attname), ', ' order by a.attnum),
        c.oid::regclass, case g.grantee when 0 then 'public' else pg_catalog.pg_get_userbyid(g.grantee) end) as line
      from pg_catalog.pg_attribute a, pg_catalog.aclexplode(a.attacl) g
      where a.attrelid = c.oid and not a.attisdropped group by g.grantee, g.privilege_type) column_grants)`,
  )} as sql
  from ${RELATIONS} ${BY_NAME}`;

/** Selects the named objects that belong to a table. */
const DETAILS = `
  select name, sql from (
    select i.indrelid::regclass::text as name, 1 as rank, x.relname as of, pg_catalog.pg_get_indexdef(i.indexrelid) || ';' as sql
    from pg_catalog.pg_index i join pg_catalog.pg_class x on x.oid = i.indexrelid
    where not exists (select from pg_catalog.pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
    union all
    select p.polrelid::regclass::text, 2, p.polname, format('create policy %I on %s%s for %s to %s%s%s;', p.polname, p.polrelid::regclass,
      case when not p.polpermissive then ' as restrictive' end,
      case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
      (select string_agg(case r when 0 then 'public' else pg_catalog.pg_get_userbyid(r) end, ', ' order by pg_catalog.pg_get_userbyid(r) collate "C") from unnest(p.polroles) r),
      E'\\n  using (' || pg_catalog.pg_get_expr(p.polqual, p.polrelid) || ')',
      E'\\n  with check (' || pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid) || ')')
    from pg_catalog.pg_policy p
    union all
    select t.tgrelid::regclass::text, 3, t.tgname, pg_catalog.pg_get_triggerdef(t.oid) || ';' ||
      coalesce(E'\\n' || (select format('comment on trigger %I on %s is %L;', t.tgname, t.tgrelid::regclass, d.description)
        from pg_catalog.pg_description d where d.objoid = t.oid and d.classoid = 'pg_catalog.pg_trigger'::pg_catalog.regclass), '')
    from pg_catalog.pg_trigger t
    -- The server gives these to published tables when it starts.
    where not t.tgisinternal and t.tgname <> 'realtime_capture'
  ) all_details order by name collate "C", rank, of collate "C", sql collate "C"`;

const FUNCTIONS = `
  select p.oid::regprocedure::text as name, ${lines(
    "E'\\n' || rtrim(pg_catalog.pg_get_functiondef(p.oid), E'\\n') || ';'",
    comment("p.oid", "pg_proc", "function", "p.oid::regprocedure"),
    `case when p.proacl is null then format('grant execute on function %s to public;', p.oid::regprocedure) end`,
    grants("p.proacl", "p.proowner", "function", "p.oid::regprocedure"),
  )} as sql
  from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  where ${NOT_SHOWN} and p.prokind in ('f', 'p') order by n.nspname collate "C", p.proname collate "C", p.oid::regprocedure::text collate "C"`;

const PUBLICATIONS = `
  select p.pubname as name, format(E'\\ncreate publication %I for table\\n%s;', p.pubname, (
    select string_agg(format('  %I.%I', t.schemaname, t.tablename), E',\\n' order by t.schemaname collate "C", t.tablename collate "C")
    from pg_catalog.pg_publication_tables t where t.pubname = p.pubname)) as sql
  from pg_catalog.pg_publication p order by p.pubname collate "C"`;
