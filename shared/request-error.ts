/**
 * All error codes of functions, the account API, storage and SQL, with HTTP status and default message. Clients decide
 * by the code. `rest/v1` uses the codes of PostgREST and PostgreSQL instead.
 */
export const ERRORS = {
  access_denied: [400, "The sign-in was cancelled"],
  address_not_allowed: [400, "A payment can only return to Skies."],
  anonymous_provider_disabled: [422, "You must provide either an email or phone number and a password"],
  answer_too_long: [400, "An answer has at most 500 characters."],
  bad_code_verifier: [400, "code challenge does not match previously saved code verifier"],
  bad_json: [400, "Could not parse request body as JSON"],
  bad_jwt: [401, "invalid JWT: token has invalid claims: token is expired (jwt expired)"],
  bad_oauth_callback: [400, "OAuth callback with missing authorization code"],
  bad_oauth_state: [400, "OAuth state is invalid or has expired"],
  bad_signature: [400, "The signature is missing, wrong or too old."],
  bad_token: [400, "This link is not valid or not complete."],
  bcc_not_allowed: [403, "Hidden copies to this address are not allowed."],
  blocked: [409, "This card is switched off."],
  busy: [503, "The server has too much to do right now. Please try again in a moment."],
  captcha_failed: [400, "captcha protection: request disallowed"],
  card_unknown: [404, "This card does not open a memory."],
  cart_empty: [400, "Cart is empty"],
  cart_full: [409, "A cart holds 50 lines."],
  choice_gone: [409, "The choices of this question were changed. Please choose again."],
  closed: [403, "This download is closed, or something in it has changed. Please prepare it again."],
  conflict: [409, "Please try again"],
  currencies: [400, "A cart can be paid in one currency only."],
  disk_full: [
    507,
    "The server has no room left, so nothing new can be stored. What is stored already is safe. Please try again later.",
  ],
  downloads_off: [403, "The person who shared this has turned off downloads."],
  draft: [409, "A card opens memories that are published."],
  email_conflict_identity_not_deletable: [
    422,
    "Emails go to this address, so it stays a sign-in method. Change it instead",
  ],
  email_exists: [422, "A user with this email address has already been registered"],
  email_not_confirmed: [400, "Email not confirmed"],
  ends_in_the_past: [400, "A link cannot end in the past."],
  engraved: [409, "This card is engraved already."],
  expired: [410, "This link has expired."],
  first_link: [409, "The first link of a memory can be revoked or made anew, not deleted."],
  foreign_page: [403, "Please do this on the site itself."],
  flow_state_expired: [403, "invalid flow state, flow state has expired"],
  flow_state_not_found: [404, "invalid flow state, no valid flow state found"],
  full: [409, "There are not enough places left."],
  gone: [410, "The bytes of this file were removed. Send it again."],
  identity_already_exists: [422, "Identity is already linked"],
  identity_not_found: [422, "Identity doesn't exist"],
  insufficient_aal: [403, "AAL2 session is required when MFA is enabled."],
  internal: [500, "Internal error"],
  invalid_credentials: [400, "Invalid login credentials"],
  invitation_accepted: [401, "This invitation was accepted. It opens for the account that accepted it."],
  invitation_incomplete: [401, "This link is incomplete. Please open the whole link of the email."],
  invitation_unknown: [401, "This invitation is no longer valid."],
  inviter_not_yours: [403, "You can only invite people in your own name."],
  letter_ended: [410, "This question has ended."],
  letter_photos: [400, "Please choose one to ten photos of this memory."],
  locked: [429, "Too many attempts. Please wait."],
  malformed: [400, "The request's body has the wrong shape."],
  memory_limit: [402, "The plan holds no more memories"],
  mfa_challenge_expired: [
    422,
    "MFA challenge has expired, verify against another challenge or create a new challenge.",
  ],
  mfa_factor_name_conflict: [422, "A factor with this friendly name for this user already exists"],
  mfa_factor_not_found: [404, "MFA factor with the provided challenge ID not found"],
  mfa_verification_failed: [422, "Invalid code entered"],
  mfa_verified_factor_exists: [422, "A verified phone factor already exists, unenroll the existing factor to continue"],
  mfa_webauthn_enroll_not_enabled: [422, "MFA enroll is disabled for WebAuthn"],
  name_missing: [400, "Please enter who replies."],
  name_too_long: [400, "A name has at most 100 characters."],
  nested_too_deep: [400, "The elements of a text are nested too deep"],
  no_account: [404, "Nobody has an account with this address."],
  no_address: [409, "Some of its cards have no address to go to."],
  no_answer: [400, "Please answer yes, no or maybe."],
  no_authorization: [401, "This endpoint requires a valid Bearer token"],
  no_name: [403, "Please give your name first."],
  no_owner: [409, "Nobody has this memory any more."],
  no_part: [400, "Please choose at least one part of the day."],
  no_plan: [404, "There is no such plan to give."],
  no_url: [502, "No checkout session URL returned"],
  not_admin: [403, "User not allowed"],
  not_arranged: [409, "There is no arranged photo to put these before."],
  not_engravable: [400, "A card says what cannot be engraved."],
  not_for_sale: [400, "This is not for sale."],
  not_found: [404, "There is nothing here."],
  not_hidden: [409, "A whole memory is not hidden."],
  not_opened: [401, "Please open the link first."],
  not_refundable: [409, "Only an order that is paid can be refunded."],
  not_supported: [400, "This server does not offer that part of the protocol."],
  not_sides: [409, "These photos cannot be the front and the back of one print."],
  not_signed_in: [401, "Please sign in first."],
  not_there: [404, "The content you want to report was not found."],
  note_too_long: [400, "A note has at most 1000 characters."],
  own_account: [409, "Another administrator does this with your account."],
  own_link: [409, "Who replied by themselves has a link of their own."],
  own_role: [409, "Another administrator changes what you may do."],
  other_address: [403, "Only the address that was invited can share the ownership."],
  otp_expired: [403, "Token has expired or is invalid"],
  over_email_send_rate_limit: [429, "For security purposes, you can only request this after some seconds."],
  over_request_rate_limit: [429, "Request rate limit reached"],
  over_sms_send_rate_limit: [429, "For security purposes, you can only request this after some seconds."],
  over_balance: [409, "This is more than there is to pay out."],
  over_refund: [409, "This is more than is left to refund."],
  payments_unreachable: [
    503,
    "The payment provider cannot be reached right now. Nothing has been paid. Please try again in a moment.",
  ],
  part_gone: [409, "A part of the day was changed. Please choose again."],
  payment_under_way: [409, "Something in your cart is already being paid for."],
  phone_exists: [422, "A user with this phone number has already been registered"],
  phone_not_confirmed: [400, "Phone not confirmed"],
  pin_required: [401, "This link asks for a PIN."],
  pin_wrong: [401, "This is not the PIN of this link."],
  provider_email_needs_verification: [422, "Unverified email. Verify it there first"],
  provider_unknown: [502, "The payment provider did not answer. Ask again: money goes back once."],
  read_only: [
    503,
    "The server is being moved to another place, so nothing can be changed right now. Everything can still be seen. Please try again later.",
  ],
  reauthentication_needed: [400, "Password update requires reauthentication"],
  reauthentication_not_valid: [422, "Nonce has expired or is invalid"],
  refund_refused: [409, "The payment provider refused this refund."],
  refresh_token_already_used: [400, "Invalid Refresh Token: Already Used"],
  refresh_token_not_found: [400, "Invalid Refresh Token: Refresh Token Not Found"],
  reply_gone: [404, "There is no such reply."],
  request_timeout: [504, "This took too long and was stopped. Please try again in a moment."],
  revoked: [410, "This link has been turned off."],
  same_password: [422, "New password should be different from the old password."],
  secret_wrong: [401, "This is not the activation code of this card."],
  server_busy: [503, "The server is busy. Please try again."],
  session_not_found: [403, "Session from session_id claim in JWT does not exist"],
  settled: [409, "This invitation is settled."],
  signed_in: [403, "You are signed in, so you add under your own name."],
  single_identity_not_deletable: [422, "User must have at least 1 identity after unlinking"],
  storage_full: [507, "There is not enough room left for this file"],
  text_too_long: [413, "The text is too long"],
  timeout: [504, "This took too long and was stopped. Please try again in a moment."],
  too_fast: [429, "So much was written within an hour that the next has to wait a little."],
  too_large: [413, "The engraving is too long."],
  too_many_enrolled_mfa_factors: [422, "Maximum number of verified factors reached, unenroll to continue"],
  too_many_guests: [429, "Too many people have signed here today."],
  too_many_items: [400, "An order of service has at most 60 entries."],
  too_many_letters: [429, "You can ask 30 times a day."],
  too_many_persons: [400, "This reply is for at most % persons."],
  too_many_questions: [400, "Please ask at most 8 questions."],
  too_many_replies: [409, "There are too many replies."],
  too_many_tags: [400, "The text has too many tags"],
  too_many_texts: [429, "Too many long texts at once. Please try again in a moment."],
  total_too_small: [409, "This amount is too small to be paid by card."],
  undecided: [409, "A report is closed by a decision."],
  unexpected_audience: [400, "Unacceptable audience in id_token"],
  unexpected_failure: [500, "Unexpected failure, please check server logs for more information"],
  unreachable: [503, "The database cannot be reached right now. Please try again in a moment."],
  user_already_exists: [422, "User already registered"],
  user_banned: [400, "User is banned"],
  user_mismatch: [403, "User not authenticated"],
  user_not_found: [404, "User not found"],
  validation_failed: [400, "The request is not valid"],
  view_only: [403, "This link is for looking only."],
  voucher_over: [409, "This voucher has ended."],
  voucher_plans: [409, "This voucher is not for this plan."],
  voucher_unknown: [409, "Invalid voucher code"],
  voucher_used: [409, "This voucher was used already."],
  voucher_used_up: [409, "This voucher is used up."],
  weak_password: [422, "Password is known to be weak and easy to guess, please choose a different one."],
  slideshow_music: [400, "The music is a recording of this memory."],
  too_many_slideshows: [400, "A memory has at most 50 slideshows."],
  too_many_pictures: [400, "A slideshow has at most 300 photos."],
  too_many_films: [400, "Three films of this memory are being made."],
  wall_link: [400, "The QR code leads to a link of this memory that allows adding."],
  wall_off: [404, "This wall is off."],
  wrong_answers: [400, "The answers have the wrong shape."],
  wrong_choices: [400, "A question with choices needs 2 to 12 different ones."],
  wrong_item: [400, "This entry of the order of service is malformed or too long."],
  wrong_question: [400, "A question needs a text of 1 to 200 characters."],
  years: [400, "A plan is given for 1 to 100 years."],
  // Codes of the storage protocol.
  "Bucket not found": [404, "Bucket not found"],
  DatabaseTimeout: [544, "This took too long and was stopped. Please try again in a moment."],
  SlowDown: [503, "The server has too much to do right now. Please try again in a moment."],
  Unauthorized: [403, "Unauthorized"],
  Duplicate: [409, "The resource already exists"],
  InvalidSignature: [400, "This link is not valid"],
  InvalidJWT: [400, "This link has expired"],
  InvalidRequest: [409, "The bucket you tried to delete is not empty"],
  invalid_type: [415, "mime type is not supported"],
  invalid_request: [400, "The request is not valid"],
  no_copy: [403, "Only whoever added this file can save it: it cannot be copied without its hidden facts"],
  unreadable_picture: [422, "The picture cannot be read"],
  unreadable_video: [422, "The video cannot be read"],
  download_not_allowed: [403, "This may be looked at here, and not be downloaded"],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ErrorCode = keyof typeof ERRORS;

/** Returns the code in an SQL error's hint. Throws if it is not in the list. */
export function codeOf(hint: string | undefined): ErrorCode {
  if (hint === undefined || !Object.hasOwn(ERRORS, hint))
    throw new TypeError(`The error code ${hint} is not in the list`);
  return hint as ErrorCode;
}

/** Returns the response body for a code, in the format of functions and of routes that belong to no protocol. */
export const errorBody = (code: ErrorCode, message: string = ERRORS[code][1]) => ({ message, code });

interface Specifics {
  message?: string | undefined;
  status?: number | undefined;
  /** Further data for the program, e.g. when a lock ends. */
  details?: Record<string, unknown> | undefined;
}

/** An error whose message may be shown to the caller. Any other error is a bug, and its message is not sent. */
export class RequestError extends Error {
  readonly status: number;
  readonly details: Record<string, unknown> | undefined;

  constructor(
    /** The machine-readable code, e.g. `pin_wrong`. */
    readonly code: ErrorCode,
    { message = ERRORS[code][1], status = ERRORS[code][0], details }: Specifics = {},
  ) {
    super(message);
    this.status = status;
    this.details = details;
  }
}

/** A temporary error with status 429 or 503. Every protocol sends it with a `Retry-After` header. */
export class RetryLaterError extends RequestError {
  /** Whole seconds until the same request may succeed, at least 1. */
  readonly retryAfter: number;

  constructor(code: ErrorCode, seconds: number, specifics?: Specifics) {
    super(code, specifics);
    this.retryAfter = Math.max(1, Math.ceil(seconds));
  }
}
