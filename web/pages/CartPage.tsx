import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useVoucherForm } from "../actions/voucher-form.ts";
import { useChangeCartItem } from "../data/cart.queries.ts";
import { CartLine } from "../features/cart/CartLine.tsx";
import { CartSummary } from "../features/cart/CartSummary.tsx";
import { useLineLabels } from "../features/cart/use-line-labels.ts";
import { usePricedCart } from "../features/cart/use-priced-cart.ts";
import { useRemoveFromCart } from "../features/cart/use-remove-from-cart.ts";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { supabase } from "../lib/request/supabase.ts";
import { useUser } from "../lib/session/session.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/Button.tsx";
import { CodeForm } from "../ui/CodeForm.tsx";
import { Empty } from "../ui/Empty.tsx";
import { Problem } from "../ui/Problem.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { toast } from "../ui/toasts.tsx";

/** /cart: the items to buy and their total. */
export default function CartPage() {
  const { t } = useTranslation("cart");
  const user = useUser();
  usePageTitle(t("title"));
  const { cart, adding, catalogue, currency, items, sold, totals, voucher } = usePricedCart(user.id);
  const change = useChangeCartItem(supabase, user.id);
  const remove = useRemoveFromCart(supabase, user.id);
  const form = useVoucherForm();
  const wordsOf = useLineLabels(catalogue.data?.plans ?? []);

  if (cart.isLoadingError || catalogue.isLoadingError) {
    const again = () => void Promise.all([cart.refetch(), catalogue.refetch()]);
    return (
      <Page>
        <Problem error={new Error(t("loadFailed"))} retry={again} />
      </Page>
    );
  }
  if (cart.isPending || catalogue.isPending || adding) {
    return (
      <Page>
        <Waiting label={t("title")} />
      </Page>
    );
  }
  if (items.length === 0) return <EmptyCart />;
  return (
    <Page>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-8 lg:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)] lg:gap-12">
        <ul aria-label={t("lines")} className="rounded-3xl border border-line bg-raised px-6 sm:px-8">
          {items.map((item, place) => (
            <CartLine
              key={item.id}
              item={item}
              texts={wordsOf(item)}
              sold={sold.filter(({ from }) => from === place)}
              currency={currency}
              onChange={(cartItem) =>
                change.mutate(cartItem, {
                  onError: () => toast({ title: t("changeFailed"), description: t("unchanged"), tone: "problem" }),
                })
              }
              onRemove={remove}
            />
          ))}
        </ul>
        <CartSummary totals={totals} currency={currency} voucher={voucher}>
          <CodeForm {...form} />
          <Button asChild size="large">
            <Link to={paths.checkout()}>{t("toCheckout")}</Link>
          </Button>
        </CartSummary>
      </div>
    </Page>
  );
}

function Page({ children }: { children: ReactNode }) {
  const { t } = useTranslation("cart");
  return (
    <div className="page-width grid gap-8 py-8 sm:py-12">
      <h1 className="font-serif text-4xl sm:text-5xl">{t("title")}</h1>
      {children}
    </div>
  );
}

function EmptyCart() {
  const { t } = useTranslation("cart");
  return (
    <Empty picture="cart" page title={t("emptyTitle")} text={t("emptyText")}>
      <div className="flex flex-wrap justify-center gap-3">
        <Button asChild>
          <Link to={paths.pricing()}>{t("seePlans")}</Link>
        </Button>
        <Button asChild variant="quiet">
          <Link to={paths.shop()}>{t("seeCards")}</Link>
        </Button>
      </div>
    </Empty>
  );
}

const Waiting = ({ label }: { label: string }) => (
  <div
    role="status"
    aria-label={label}
    className="grid grid-cols-[minmax(0,1fr)] items-start gap-8 lg:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)] lg:gap-12"
  >
    <Skeleton className="h-72 rounded-3xl" />
    <Skeleton className="h-96 rounded-3xl" />
  </div>
);
