import en from "../en/orders.json";
import it from "../it/orders.json";
import { addWords } from "../resources.ts";

addWords("orders", { en, it });
