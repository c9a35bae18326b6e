import en from "../en/orders.json";
import it from "../it/orders.json";
import { addNamespace } from "../resources.ts";

addNamespace("orders", { en, it });
