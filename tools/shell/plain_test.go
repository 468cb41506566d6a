package shell

import (
	"strings"
	"testing"
)

// Lines of binary data are only counted. In a large binary output, every line with a NUL byte
// counts as binary.
func TestLinesOfBinaryDataAreCounted(t *testing.T) {
	odd, even := func(n int) string { return strings.Repeat("\x01", n) }, func(n int) string { return strings.Repeat("x", n) }
	for _, one := range []struct{ what, content, want string }{
		{"plain", "a\nb", "a\nb"},
		{"a byte that is no letter", "a\xff\n", "a�\n"},
		{"seven of seven", odd(7) + "\n", odd(7) + "\n"},
		{"eight of 27", odd(8) + even(18) + "\n", odd(8) + even(18) + "\n"},
		{"nine of 30", odd(9) + even(20) + "\n", odd(9) + even(20) + "\n"},
		{"just more than three tenths", odd(9) + even(19) + "\n", "COUNT 29"},
		{"between text", "a\n" + odd(20) + "\n" + odd(20) + "\nb\n", "a\nCOUNT 42b\n"},
		{"one in each line of a little", "a\x01\nb\n", "a\x01\nb\n"},
		{"one in a line of much", odd(100) + "\na\x01\nb\n" + even(420) + "\n", "COUNT 104b\n" + even(420) + "\n"},
		{"one in a line of much that is mostly text", odd(50) + "\na\x01\nb\n" + even(460) + "\n", "COUNT 51a\x01\nb\n" + even(460) + "\n"},
	} {
		var counting strings.Builder
		want := one.want
		if before, rest, ok := strings.Cut(want, "COUNT "); ok {
			size := 0
			for rest != "" && rest[0] >= '0' && rest[0] <= '9' {
				size, rest = size*10+int(rest[0]-'0'), rest[1:]
			}
			counted(&counting, &size)
			want = before + counting.String() + rest
		}
		if got := plain([]byte(one.content)); got != want {
			t.Errorf("%s: %q, want %q", one.what, got, want)
		}
	}
	var none strings.Builder
	zero := 0
	if counted(&none, &zero); none.Len() > 0 {
		t.Errorf("nothing is counted as %q", none.String())
	}
}
