package gate

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A command could reach a forbidden host at the address of an allowed host, or through a proxy on
// this machine. So a Way checks the host names in TLS ClientHellos and HTTP requests. A Way cannot
// read encrypted data.

var errNamed = errors.New("the connection does not name an allowed host")

// outward sends the client's data to the server, and checks each host named in the data.
func (w *Way) outward(here net.Conn, there net.Conn, to spoken) error {
	if to.inward {
		return carry(there, here)
	}
	said := bufio.NewReaderSize(here, 64<<10)
	for {
		first, err := said.Peek(1)
		if err != nil {
			return carry(there, said)
		}
		switch {
		case first[0] == 0x16: // TLS
			if to.local {
				return carry(there, said)
			}
			if err := w.greeting(said, there, to); err != nil {
				return err
			}
			return carry(there, said)
		case to.local && (first[0] == 5 || first[0] == 4):
			if socks(said) {
				w.refuse("a SOCKS proxy on this machine, port " + strconv.Itoa(int(to.port)))
				return errNamed
			}
			return carry(there, said)
		case to.local && !proxied(said):
			return carry(there, said)
		case !to.local && (first[0] == '\r' || first[0] == '\n'): // blank lines, which some servers skip
			return errNamed
		case !to.local && !asks(said):
			return carry(there, said)
		}
		next, err := w.request(said, there, to)
		if err != nil || next == nil {
			return err
		}
		to = *next
	}
}

// socks is true if the input begins with a SOCKS greeting: version 5 and the number of login
// methods, or version 4 and the connect command.
func socks(said *bufio.Reader) bool {
	start, _ := said.Peek(2)
	return len(start) == 2 && (start[0] == 5 && start[1] > 0 && start[1] < 10 || start[0] == 4 && start[1] == 1)
}

// line peeks at the first line of the input. It returns "" if the line does not fit in the buffer.
func line(said *bufio.Reader) string {
	for n := 1; n <= said.Size(); n = max(n+1, said.Buffered()) {
		start, err := said.Peek(n)
		if end := bytes.IndexByte(start, '\n'); end >= 0 {
			return string(start[:end])
		}
		if err != nil {
			return string(start)
		}
		if n == said.Size() {
			break
		}
	}
	return ""
}

var methods = []string{"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "PROPFIND", "PROPPATCH", "MKCOL", "COPY", "MOVE", "LOCK", "UNLOCK", "REPORT", "SEARCH", "PRI"}

// asks is true if the input begins with an HTTP request. It returns false as soon as the first word
// cannot be a method, because the first line may never end.
func asks(said *bufio.Reader) bool {
	for n := 1; n <= 10; n++ {
		start, err := said.Peek(n)
		word, _, whole := strings.Cut(string(start), " ")
		switch {
		case whole:
			return slices.Contains(methods, word) || strings.Contains(line(said), " HTTP/")
		case err != nil || !slices.ContainsFunc(methods, func(method string) bool { return strings.HasPrefix(method, word) }) && strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ-") != "":
			return false
		}
	}
	return false
}

// proxied returns true if the input begins with a request to an HTTP proxy.
func proxied(said *bufio.Reader) bool {
	if !asks(said) {
		return false
	}
	method, rest, _ := strings.Cut(line(said), " ")
	return method == http.MethodConnect || strings.Contains(strings.SplitN(rest, " ", 2)[0], "://")
}

// request receives one HTTP request, then checks and forwards it. It returns the new target after
// CONNECT, and otherwise the old target.
func (w *Way) request(said *bufio.Reader, there net.Conn, to spoken) (*spoken, error) {
	request, err := http.ReadRequest(said)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNamed, err)
	}
	named, port := request.Host, to.port
	if host, number, err := net.SplitHostPort(named); err == nil {
		if parsed, err := strconv.ParseUint(number, 10, 16); err == nil {
			named, port = host, uint16(parsed)
		}
	} else if to.local { // a proxy request whose URL has no port
		port = 80
	}
	named = plainName(strings.Trim(named, "[]"))
	if named != to.host && named != "" && !local(named) {
		if err := w.askOnce(named, port); err != nil {
			return nil, errNamed
		}
	}
	if _, given := request.Header["User-Agent"]; !given {
		request.Header["User-Agent"] = []string{""} // prevents Go from sending its own User-Agent
	}
	request.Header.Del("Upgrade") // after a protocol upgrade, the data would no longer be HTTP requests
	write := request.Write
	if to.local {
		write = request.WriteProxy
	}
	if err := write(there); err != nil {
		return nil, err
	}
	if request.Method == http.MethodConnect {
		return &spoken{host: named, port: port}, nil
	}
	return &to, nil
}

// local recognizes localhost names and loopback addresses.
func local(name string) bool {
	return name == "localhost" || strings.HasSuffix(name, ".localhost") || net.ParseIP(name).IsLoopback()
}

// greeting forwards a TLS ClientHello. It returns errNamed if the ClientHello is invalid, or if its
// host name is encrypted or refused.
func (w *Way) greeting(said *bufio.Reader, there net.Conn, to spoken) error {
	heard := &hearing{from: said}
	name, sealed, found := "", false, false
	ctx, stop := context.WithTimeout(w.out.ending, time.Minute)
	defer stop()
	_ = tls.Server(heard, &tls.Config{GetConfigForClient: func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
		name, sealed, found = plainName(hello.ServerName), slices.Contains(hello.Extensions, encryptedHello), true
		return nil, errNamed // the error ends the handshake after the ClientHello
	}}).HandshakeContext(ctx)
	switch {
	case !found:
		return errNamed
	case sealed:
		w.refuse("a host with an encrypted name, at " + to.host)
		return errNamed
	case name != "" && name != to.host:
		if err := w.askOnce(name, to.port); err != nil {
			return errNamed
		}
	}
	_, err := there.Write(heard.bytes.Bytes())
	return err
}

// encryptedHello is the number of the TLS extension for encrypted host names.
const encryptedHello = 0xfe0d

// A hearing records the bytes that the TLS server reads, and discards all writes.
type hearing struct {
	net.Conn
	from  io.Reader
	bytes bytes.Buffer
}

func (h *hearing) Read(into []byte) (int, error) {
	n, err := h.from.Read(into)
	h.bytes.Write(into[:n])
	return n, err
}

func (h *hearing) Write(piece []byte) (int, error)  { return len(piece), nil }
func (h *hearing) Close() error                     { return nil }
func (h *hearing) SetDeadline(time.Time) error      { return nil }
func (h *hearing) SetReadDeadline(time.Time) error  { return nil }
func (h *hearing) SetWriteDeadline(time.Time) error { return nil }
