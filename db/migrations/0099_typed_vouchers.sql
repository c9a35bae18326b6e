-- Codes of vouchers as people type and paste them. shared/typed-text.ts has the same rules, and a test compares both.
create function private.typed_voucher(value text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select btrim(upper(translate(
    regexp_replace(
      normalize(regexp_replace(coalesce(value, ''),
        '[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]', '', 'g'), NFKC),
      '[[:space:]"''“”„‘’«»‹›().,;:!?<>{}*_`´|/\[\]\\]+', '', 'g'),
    '‐‑‒–—―−٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९',
    '-------012345678901234567890123456789')), '-')
$$;
comment on function private.typed_voucher(text) is
  'The code of a voucher as stored: capitals, digits and hyphens, without spaces, quotation marks and punctuation around or in it.';
revoke execute on function private.typed_voucher(text) from public;

create or replace function apply_voucher(code_text text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  wanted constant text := private.typed_voucher(code_text);
  -- A session without the required authentication level is treated as anonymous.
  person constant uuid := case when private.has_required_aal() then auth.uid() end;
  found public.vouchers;
  own_pending uuid[];
begin
  if wanted = '' then
    return jsonb_build_object('valid', false, 'discount_percentage', 0, 'message', 'No voucher code provided');
  end if;
  select * into found from public.vouchers v where v.code = wanted;
  -- A person who returns from the payment page keeps the use that is reserved for them: the next checkout closes that page. It
  -- cannot close a page whose payment a bank processes, so such a use counts.
  select coalesce(array_agg(u.order_id), '{}') into own_pending
  from public.voucher_uses u join public.orders o on o.id = u.order_id
  where u.user_id = person and u.paid_at is null and u.released_at is null and not o.processing;
  if private.usable_voucher(found, person, own_pending) is not null then
    return jsonb_build_object('valid', false, 'discount_percentage', 0, 'message', 'Invalid voucher code');
  end if;
  return jsonb_build_object('valid', true, 'discount_percentage', found.percentage, 'message', '',
    'plan_ids', found.plan_ids, 'applies_to_cards', found.applies_to_cards);
end
$$;
