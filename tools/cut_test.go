package tools

import (
	"strings"
	"testing"

	"marvin/persistence/artifacts"
)

// The test cuts a text at each limit, with a length at the limit and one beyond it.
func TestTextCut(t *testing.T) {
	wide := strings.Repeat("漢", 10) // 30 bytes
	for _, row := range []struct {
		what   string
		limits Limits
		text   string
		want   string // "" for the text itself
	}{
		{"no limits", Limits{}, "a\nb\nc", ""},
		{"as many bytes", Limits{Bytes: 10}, "0123456789", ""},
		{"a byte more", Limits{Bytes: 10}, "0123456789x", "012345\n[… 1 bytes left out …]\n789x"},
		{"many more", Limits{Bytes: 10}, strings.Repeat("0123456789", 10), "012345\n[… 90 bytes left out …]\n6789"},
		{"letters of three bytes", Limits{Bytes: 10}, wide, "漢漢\n[… 21 bytes left out …]\n漢"},
		{"no letter fits", Limits{Bytes: 2}, wide, "\n[… 30 bytes left out …]\n"},
		{"a room of one", Limits{Bytes: 1}, "ab", "\n[… 2 bytes left out …]\n"},
		{"as many lines", Limits{Lines: 5}, "1\n2\n3\n4\n5", ""},
		{"a line break more", Limits{Lines: 5}, "1\n2\n3\n4\n5\n", "1\n2\n3\n[… 1 lines left out …]\n5\n"},
		{"lines more", Limits{Lines: 5}, "1\n2\n3\n4\n5\n6\n7\n8", "1\n2\n3\n[… 3 lines left out …]\n7\n8"},
		{"one line", Limits{Lines: 1}, "1\n2\n3", "\n[… 3 lines left out …]\n"},
		{"as long a line", Limits{LineBytes: 4}, "abcd\nabcd\r\nab", "abcd\nabcd[… 1 more bytes on this line]\nab"},
		{"the last line", Limits{LineBytes: 4}, "abcd\nabcdefgh", "abcd\nabcd[… 4 more bytes on this line]"},
		{"a line break behind it", Limits{LineBytes: 4}, "abcde\n", "abcd[… 1 more bytes on this line]\n"},
		{"short lines", Limits{LineBytes: 4}, "abc\n\nabcd\n", ""},
		{"a line of wide letters", Limits{LineBytes: 4}, "漢漢", "漢[… 3 more bytes on this line]"},
		{"as many tokens", Limits{Tokens: 3}, "0123456789ab", ""},
		{"a token more", Limits{Tokens: 3}, "0123456789abc", "01234\n[… 5 bytes left out …]\nabc"},
		{"wide letters are tokens", Limits{Tokens: 5}, wide, "漢漢漢\n[… 15 bytes left out …]\n漢漢"},
		{"the tighter of both", Limits{Tokens: 5, Bytes: 10}, wide, "漢漢\n[… 21 bytes left out …]\n漢"},
		{"and the other way", Limits{Tokens: 2, Bytes: 20}, wide, "漢\n[… 27 bytes left out …]\n"},
		{"what is no text", Limits{}, "a\xffb", "a�b"},
	} {
		got, cut := row.limits.Cut(row.text)
		want, changed := row.want, row.want != "" && row.what != "what is no text"
		if want == "" {
			want = row.text
		}
		if got != want || cut != changed {
			t.Errorf("%s: %q, cut %v; want %q", row.what, got, cut, want)
		}
	}
	for text, want := range map[string]int{"": 0, "a": 1, "abcd": 1, "abcde": 2, "漢": 1, "漢a": 2, "é": 1, "\xff": 1, "\x80\x80": 0} {
		if got := EstimateTokens(text); got != want {
			t.Errorf("%q has %d tokens, want %d", text, got, want)
		}
	}
	for limit, want := range []int{0, 0, 0, 3, 3, 3, 6, 6, 6} {
		if got := runeFloor("漢漢", limit); got != want {
			t.Errorf("the edge before %d is %d, want %d", limit, got, want)
		}
	}
	for text, want := range map[string]bool{"": false, "abcd": false, "abcde": true, "abcd\nabcd": false, "abcd\nabcd\n": false, "a\nabcde": true, "abcd\nabcde\na": true, "\n\n\nabcde": true, "ab\nabcd": false} {
		if got := longerLine(text, 4); got != want {
			t.Errorf("%q has a longer line: %v", text, got)
		}
	}
}

func TestThereIsRoomForWhereTheRestIs(t *testing.T) {
	for _, row := range []struct {
		what   string
		limits Limits
		text   string
		next   string
	}{
		{"by lines", Limits{Lines: 20}, strings.Repeat("line\n", 21), "\n[… 7 lines left out …]\n"},
		{"by few lines", Limits{Lines: 5}, strings.Repeat("line\n", 21), "\n[… 19 lines left out …]\n"},
		{"by bytes", Limits{Bytes: 2000}, strings.Repeat("x", 2001), "\n[… 514 bytes left out …]\n"},
		{"by few bytes", Limits{Bytes: 600}, strings.Repeat("x", 2000), "\n[… 1489 bytes left out …]\n"},
		{"by tokens", Limits{Tokens: 400}, strings.Repeat("x", 4000), "\n[… 3000 bytes left out …]\n"},
		{"by few tokens", Limits{Tokens: 200}, strings.Repeat("x", 4000), "\n[… 3400 bytes left out …]\n"},
	} {
		env := keeping(t)
		got := row.limits.KeepWhole(env.Artifacts, artifacts.Artifact{Tool: "x"}, row.text)
		if !strings.Contains(got, row.next) || len(env.Artifacts.List()) != 1 || !strings.HasSuffix(got, "do not run the command again to see the output]\n") || held(t, env, 1) != row.text {
			t.Errorf("%s: %s", row.what, excerptOf(got))
		}
	}
}
