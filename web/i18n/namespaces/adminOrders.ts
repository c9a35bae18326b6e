import en from "../en/adminOrders.json";
import it from "../it/adminOrders.json";
import { addNamespace } from "../resources.ts";

addNamespace("adminOrders", { en, it });
