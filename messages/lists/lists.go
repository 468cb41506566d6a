// Package lists provides functions that convert and filter slices.
package lists

// Map applies convert to each item and returns the results in order. If items is nil, it returns
// nil.
func Map[From, To any](items []From, convert func(From) To) []To {
	if items == nil {
		return nil
	}
	results := make([]To, len(items))
	for i, item := range items {
		results[i] = convert(item)
	}
	return results
}

// Filter returns the matching items in a new slice, in the same order. The result is nil if no item
// matches.
func Filter[Item any](items []Item, matches func(Item) bool) (found []Item) {
	for _, item := range items {
		if matches(item) {
			found = append(found, item)
		}
	}
	return found
}
