/** Computes once per object and keeps the answer as long as the object lives, so that checks share what they derive. */
export function remember<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const answers = new WeakMap<Key, { value: Value }>();
  return (key) => {
    let answer = answers.get(key);
    if (!answer) {
      answer = { value: compute(key) };
      answers.set(key, answer);
    }
    return answer.value;
  };
}
