/** Tables and functions beside those of the library: of other types, names, keys and results. */
export const MORE_TABLES = ["things", "pages", "marks", '"odd scraps"'];

export const MORE = `
  create table things (
    id integer primary key,
    "First Name" text,
    "a.b" text,
    "x,y(z)" text,
    ü text,
    price numeric(6, 2),
    ratio double precision,
    at timestamptz,
    days daterange,
    words tsvector,
    numbers integer[],
    moods mood[],
    raw bytea,
    code char(3) unique,
    short varchar(5),
    ip inet,
    big bigint,
    hour time,
    doc json,
    made date not null default '2020-01-01',
    total numeric generated always as (price * 2) stored
  );
  create table pages (
    book_id integer references books on delete cascade, number integer, body text, primary key (book_id, number)
  );
  create table marks (
    id integer primary key,
    book_id integer,
    number integer not null,
    colour text,
    foreign key (book_id, number) references pages on delete cascade
  );
  create table "odd scraps" (note text, "book id" integer references books on delete cascade);
  insert into things (id, "First Name", "a.b", "x,y(z)", ü, price, ratio, at, days, words, numbers, moods, raw, code,
      short, ip, big, hour, doc) values
    (1, 'Ann', 'dotted', 'comma', 'é', 1.5, 'NaN', '2024-02-29 12:00Z', '[2024-01-01,2024-02-01)', 'a fat cat', '{1,2}',
      '{calm}', '\\x00ff', 'abc', 'ab', '10.0.0.1', 9007199254740993, '12:30', '{"b": 1, "a":  [null]}'),
    (2, 'Quo"te', null, '', 'a,b', -0.01, 1e-7, 'infinity', 'empty', '', '{}', '{bright,null}', '', 'a', '', '::1', -1,
      '24:00', '"x"'),
    (3, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null);
  insert into pages values (1, 1, 'first'), (1, 2, null), (2, 1, 'engines');
  insert into marks values (1, 1, 1, 'red'), (2, null, 1, 'none'), (5, 1, 1, 'blue');
  insert into "odd scraps" values ('one', 1), ('two', null), ('two', null);
  grant select, insert, update, delete on things, pages, marks, "odd scraps" to authenticated;
  grant select on things, pages, marks, "odd scraps" to anon;

  create function loud(tags) returns text language sql stable as $$ select upper($1.label) $$;
  create function setting(name text) returns text language sql stable
    as $$ select case when name = 'request.jwt.claims' then current_setting(name, true)::jsonb ->> 'sub'
      else current_setting(name, true) end $$;
  create function header(name text) returns text language sql stable
    as $$ select current_setting('request.headers', true)::json ->> name $$;
  create function answering(status text, headers text) returns integer language sql
    as $$ select set_config('response.status', status, true), set_config('response.headers', headers, true); select 7 $$;
  create function authors_of_mood(wanted mood) returns setof authors language sql stable
    as $$ select * from authors where mood = wanted $$;
  create function pair(out one integer, out two text) language sql immutable as $$ select 1, 'two' $$;
  create function typed(a integer default 1, b text default 'x', c date default null, d text[] default '{}',
      e jsonb default '{}', f mood default 'calm')
    returns table (a integer, b text, c date, d text[], e jsonb, f mood) language sql immutable
    as $$ select a, b, c, d, e, f $$;
  create function value_of(given text) returns jsonb language sql immutable as $$ select given::jsonb $$;
  create function values_of(given text) returns setof jsonb language sql immutable
    as $$ select * from jsonb_array_elements(given::jsonb) $$;
  create function truth(of boolean) returns boolean language sql immutable as $$ select of $$;
  create function dates(many integer) returns setof date language sql immutable
    as $$ select '2024-01-01'::date + n from generate_series(1, many) n $$;
  create function arrays() returns integer[] language sql immutable as $$ select '{1,null}'::integer[] $$;
  create type spot as (x integer, y integer);
  create function spot(x integer, y integer) returns spot language sql immutable as $$ select x, y $$;
  create function spots(many integer) returns setof spot language sql immutable
    as $$ select n, -n from generate_series(1, many) n $$;
  create function by_names(a integer) returns text language sql immutable as $$ select 'one' $$;
  create function by_names(a integer, b integer) returns text language sql immutable as $$ select 'two' $$;
  create function both_ways(inout n integer, out twice integer) language sql immutable as $$ select n, n * 2 $$;
  create function no_author() returns authors language sql stable as $$ select * from authors where false $$;
  create function all_authors() returns setof authors language sql stable as $$ select * from authors $$;
  create function raising(sqlstate text) returns void language plpgsql as $$
    begin raise exception 'Raised %', sqlstate using errcode = sqlstate, detail = 'd', hint = 'h'; end $$;
  grant execute on all functions in schema public to anon, authenticated;
`;
