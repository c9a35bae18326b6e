import { useTranslation } from "react-i18next";
import { OrderList } from "../../features/admin/orders/OrderList.tsx";
import { Desk } from "./Desk.tsx";

/** /admin/orders: all orders. */
export default function OrdersPage() {
  const { t } = useTranslation("admin");
  return (
    <Desk title={t("sections.orders")}>
      <OrderList />
    </Desk>
  );
}
