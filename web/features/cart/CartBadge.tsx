import { ShoppingBag } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useCart, useCartLive } from "../../data/cart.queries.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { paths } from "../../paths.ts";

/** A link to the cart with its number of lines. It also keeps the cart current, because it is always mounted. */
export default function CartBadge({ userId }: { userId: string }) {
  const { t } = useTranslation("cart");
  useCartLive(supabase, userId);
  const { data = [] } = useCart(supabase, userId);
  const count = data.length;
  return (
    <Link
      to={paths.cart()}
      aria-label={count > 0 ? t("badge", { count }) : t("title")}
      className="relative inline-grid size-11 shrink-0 place-content-center rounded-full text-ink transition-colors duration-200 ease-out hover:bg-wash hover:text-deep"
    >
      <ShoppingBag aria-hidden className="size-6" strokeWidth={1.75} />
      {count > 0 && (
        <span
          aria-hidden
          className="absolute end-0 top-0.5 grid h-5 min-w-5 place-content-center rounded-full bg-deep px-1 text-xs font-semibold text-on-deep tabular-nums"
        >
          {count > 99 ? "99+" : count}
        </span>
      )}
    </Link>
  );
}
