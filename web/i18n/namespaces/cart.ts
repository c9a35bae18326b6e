import en from "../en/cart.json";
import it from "../it/cart.json";
import { addNamespace } from "../resources.ts";

addNamespace("cart", { en, it });
