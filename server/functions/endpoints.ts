import { affiliateClick } from "./affiliate-click.ts";
import { calendar, calendarLink } from "./calendar.ts";
import { cardLabels } from "./card-labels.ts";
import { cardStatus } from "./card-status.ts";
import { claimCard } from "./claim-card.ts";
import { createCheckout } from "./create-checkout.ts";
import { createCheckoutSession } from "./create-checkout-session.ts";
import { declineInvitation } from "./decline-invitation.ts";
import { deleteAccount } from "./delete-account.ts";
import { deskAccount } from "./desk-account.ts";
import { deskSystem } from "./desk-system.ts";
import { download } from "./download.ts";
import type { Endpoint, FileEndpoint } from "./endpoint.ts";
import { engraverPack } from "./engraver-pack.ts";
import { forgetDevice } from "./forget-device.ts";
import { invitationAgain } from "./invitation-again.ts";
import { myData } from "./my-data.ts";
import { openCard } from "./open-card.ts";
import { openLetter } from "./open-letter.ts";
import { openShare } from "./open-share.ts";
import { openWall } from "./open-wall.ts";
import { orderReceipt } from "./order-receipt.ts";
import { paymentWebhook } from "./payment-webhook.ts";
import { pictureRequest } from "./picture-request.ts";
import { prepareDownload } from "./prepare-download.ts";
import { readSharePin } from "./read-share-pin.ts";
import { refundOrder } from "./refund-order.ts";
import { releaseCard } from "./release-card.ts";
import { report } from "./report.ts";
import { resendReceipt } from "./resend-receipt.ts";
import { sendEmail } from "./send-email.ts";
import { sharePin } from "./share-pin.ts";
import { signGuest } from "./sign-guest.ts";
import { stopNotices, stopNoticesPage } from "./stop-notices.ts";
import { unsubscribe, unsubscribePage } from "./unsubscribe.ts";
import { verifyTurnstile } from "./verify-turnstile.ts";

/** Every POST endpoint, by its name under `/functions/v1`. */
export const endpoints: Record<string, Endpoint> = {
  "open-share": openShare,
  "sign-guest": signGuest,
  "forget-device": forgetDevice,
  "share-pin": sharePin,
  "read-share-pin": readSharePin,
  "open-wall": openWall,
  "open-letter": openLetter,

  "decline-invitation": declineInvitation,
  "invitation-again": invitationAgain,

  "open-card": openCard,
  "claim-card": claimCard,
  "release-card": releaseCard,
  "engraver-pack": engraverPack,
  "card-labels": cardLabels,
  "card-status": cardStatus,

  "create-checkout": createCheckout,
  "create-checkout-session": createCheckoutSession,
  "payment-webhook": paymentWebhook,
  "order-receipt": orderReceipt,
  "resend-receipt": resendReceipt,
  "refund-order": refundOrder,
  "affiliate-click": affiliateClick,

  "my-data": myData,
  "delete-account": deleteAccount,
  "prepare-download": prepareDownload,
  "calendar-link": calendarLink,

  "desk-account": deskAccount,
  "desk-system": deskSystem,
  report,
  "picture-request": pictureRequest,

  "send-email": sendEmail,
  unsubscribe,
  "stop-notices": stopNotices,
  "verify-turnstile": verifyTurnstile,
};

/** Every GET endpoint, which answers with a file or a redirect. */
export const fileEndpoints: Record<string, FileEndpoint> = {
  calendar,
  download,
  unsubscribe: unsubscribePage,
  "stop-notices": stopNoticesPage,
};
