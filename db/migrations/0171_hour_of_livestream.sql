-- Browsers and the server read times of the years 1 to 9999. The hour of a livestream is one that people write.

update memory_entries set stream_from = least(greatest(stream_from, '0001-01-02'), '9999-12-30')
  where stream_from < '0001-01-02' or stream_from > '9999-12-30';
alter table memory_entries add constraint stream_from_in_years_1_to_9999
  check (stream_from between '0001-01-01 00:00+00' and '9999-12-31 00:00+00');
