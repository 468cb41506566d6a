package offline

import "testing"

// One wrong letter is accepted in words of five letters, two in long ones, and two swapped letters
// in words of four. A word with another beginning, or a known word, is a different word.
func TestMisspellings(t *testing.T) {
	for _, row := range []struct {
		said, want string
		misspelt   bool
	}{
		{"tomorow", "tomorrow", true},
		{"tommorrow", "tomorrow", true},
		{"tomorriw", "tomorrow", true},
		{"tmoorrow", "tomorrow", true},
		{"tomow", "tomorrow", false},
		{"romorrow", "tomorrow", false},
		{"omorrow", "tomorrow", false},
		{"otmorrow", "tomorrow", true},
		{"calendqr", "calendar", true},
		{"kalendqr", "calendar", false},
		{"calxndqr", "calendar", false},
		{"remindexx", "reminders", true},
		{"reminxxxx", "reminders", false},
		{"wekk", "week", false},
		{"weke", "week", true},
		{"wek", "week", false},
		{"week", "wee", false},
		{"wxather", "weather", true},
		{"w3ather", "weather", false},
		{"we.ther", "weather", false},
		{"weather", "wxather", false}, // the beginning differs
	} {
		if got := lexicon().misspelt(row.said, row.want); got != row.misspelt {
			t.Errorf("%q for %q: %v", row.said, row.want, got)
		}
	}
}

func TestLettersThatChangedPlaces(t *testing.T) {
	for pair, want := range map[[2]string]bool{
		{"week", "weke"}: true, {"week", "ewek"}: true, {"week", "week"}: false, {"week", "wkee"}: false, {"week", "wee"}: false, {"", ""}: false, {"ab", "ba"}: true,
	} {
		if got := swapped(pair[0], pair[1]); got != want {
			t.Errorf("%q: %v", pair, got)
		}
	}
}
