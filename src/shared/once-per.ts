/** Creates a value once for each object, such as the `env` of a Worker: tests have several. */
export function oncePer<Key extends object, Value>(create: (key: Key) => Value): (key: Key) => Value {
  const values = new WeakMap<Key, Value>()
  return (key) => {
    const value = values.get(key) ?? create(key)
    values.set(key, value)
    return value
  }
}
