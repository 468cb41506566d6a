package reason_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"marvin/tools/internal/reason"
)

func TestErrorsOfTheSystemAreWorded(t *testing.T) {
	_, missing := os.Stat(filepath.Join(t.TempDir(), "none"))
	_, long := os.Stat(strings.Repeat("x", 300))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = listener.Close()
	_, refused := net.Dial("tcp", listener.Addr().String())
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, cancelled := (&net.Dialer{}).DialContext(ended, "tcp", listener.Addr().String())
	for _, test := range []struct {
		err, still error
		want       string
	}{
		{missing, fs.ErrNotExist, "it does not exist"},
		{long, syscall.ENAMETOOLONG, "file name too long"},
		{refused, syscall.ECONNREFUSED, "connection refused"},
		{ended.Err(), context.Canceled, "it was cancelled"},
		{context.DeadlineExceeded, context.DeadlineExceeded, "the time limit is over"},
		{&net.DNSError{Err: "no such host", Name: "a", IsNotFound: true}, nil, "there is no host with that name"},
		{&net.DNSError{Err: "dial udp 10.0.0.1:53: connect: network is unreachable", Name: "a"}, nil, "no name server could be reached to look up the address"},
		{&net.DNSError{Err: "i/o timeout", Name: "a", IsTimeout: true}, nil, "the name server did not answer"},
		{os.ErrDeadlineExceeded, os.ErrDeadlineExceeded, "the server did not answer in time"},
		{io.ErrUnexpectedEOF, io.ErrUnexpectedEOF, "the connection ended in the middle of the answer"},
		{io.EOF, io.EOF, "the connection ended without an answer"},
		{errors.New("our own words"), nil, "our own words"},
	} {
		got := reason.InWords(test.err)
		if got.Error() != test.want || test.still != nil && !errors.Is(got, test.still) {
			t.Errorf("%v became %v", test.err, got)
		}
	}
	if cancelled == nil || strings.Contains(reason.InWords(cancelled).Error(), "dial") {
		t.Errorf("a dial that was cancelled: %v", reason.InWords(cancelled))
	}
}
