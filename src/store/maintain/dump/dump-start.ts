/** How a dump begins, whatever follows: what tells it from a file of records. */
export const dumpStart = '{"rostrum":"dump"'
