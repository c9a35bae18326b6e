import type { AuthContext } from "../supabase/auth/context.ts";
import { cardLabels } from "./card-labels.ts";
import { cardStatus } from "./card-status.ts";
import { claimCard } from "./claim-card.ts";
import { engraverPack, type MakingDeps } from "./engraver-pack.ts";
import type { ServerFunction } from "./mount.ts";
import { openCard } from "./open-card.ts";
import { releaseCard } from "./release-card.ts";
import type { AttemptLimiter } from "./share-attempts.ts";

/** The functions for metal cards, by name. */
export const cardFunctions = (
  accounts: AuthContext,
  deps: MakingDeps & { cardTries: AttemptLimiter; activationTries: AttemptLimiter },
): Record<string, ServerFunction> => ({
  "open-card": openCard(deps),
  "claim-card": claimCard(accounts, { ...deps, tries: deps.activationTries }),
  "release-card": releaseCard(deps),
  "engraver-pack": engraverPack(deps),
  "card-labels": cardLabels(deps),
  "card-status": cardStatus(deps),
});
