package gitpatch

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1" //nolint:gosec // git requires SHA-1
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"
)

// This file writes git's binary patches. A patch contains the blob names and both contents in full,
// compressed and encoded in git's variant of base 85.

func (f *File) binary(out *strings.Builder) {
	fmt.Fprintf(out, "index %s..%s\nGIT binary patch\n", blob(f.Before), blob(f.After))
	literal(out, f.After)
	literal(out, f.Before)
}

// blob returns the name that git gives to this content, or zeros if content is nil.
func blob(content []byte) string {
	if content == nil {
		return strings.Repeat("0", 2*sha1.Size)
	}
	sum := sha1.New() //nolint:gosec // as above
	fmt.Fprintf(sum, "blob %d\x00", len(content))
	sum.Write(content)
	return hex.EncodeToString(sum.Sum(nil))
}

// mostInLine is the maximum number of bytes that one line encodes.
const mostInLine = 52

func literal(out *strings.Builder, content []byte) {
	var packed bytes.Buffer
	writer := zlib.NewWriter(&packed)
	_, _ = writer.Write(content) // writing to memory cannot fail
	_ = writer.Close()
	fmt.Fprintf(out, "literal %d\n", len(content))
	for packed.Len() > 0 {
		line := packed.Next(mostInLine)
		size := 'A' + len(line) - 1
		if len(line) > 26 {
			size = 'a' + len(line) - 27
		}
		out.WriteByte(byte(size))
		for len(line) > 0 {
			var four [4]byte
			line = line[copy(four[:], line):]
			out.WriteString(base85(binary.BigEndian.Uint32(four[:])))
		}
		out.WriteByte('\n')
	}
	out.WriteByte('\n')
}

const digits85 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"

// base85 encodes a number as five digits in base 85.
func base85(number uint32) string {
	var digits [5]byte
	for i := len(digits) - 1; i >= 0; i-- {
		digits[i] = digits85[number%85]
		number /= 85
	}
	return string(digits[:])
}
