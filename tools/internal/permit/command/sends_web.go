package command

import (
	"slices"
	"strings"
)

// dataFreeOptions lists the curl and wget options that send no data. Some letters, such as -d, send
// data in curl but not in wget; see saysMore.
const dataFreeOptions = "-s -S -L -l -f -i -I -v -k -O -J -R -# -4 -6 -N -g -j -0 -o -m -C -D -c -w -y -Y -q -n -P -t -T -x -r -p -b -nv -nc -np -nd -nH -d -K " +
	"--silent --show-error --location --fail --fail-with-body --include --head --verbose --insecure --remote-name --remote-name-all --remote-header-name " +
	"--compressed --no-progress-meter --progress-bar --globoff --ipv4 --ipv6 --no-buffer --create-dirs --http1.1 --http2 --tlsv1.2 --tlsv1.3 --retry-all-errors --retry-connrefused --parallel " +
	"--output --max-time --connect-timeout --retry --retry-delay --retry-max-time --output-dir --write-out --dump-header --cookie-jar --max-redirs --max-filesize --proto --cacert --limit-rate --speed-limit --speed-time --continue-at " +
	"--quiet --no-verbose --output-document --continue --tries --timeout --timestamping --no-check-certificate --directory-prefix --recursive --level --no-parent --page-requisites --mirror --convert-links --show-progress --no-clobber --server-response --spider --waitretry"

// The curl and wget options that take a value.
const (
	curlValued = "AbcCdDeEFHKmoPQrtTuUwxXyYz"
	wgetValued = "aeiloOPtTwQUARDIXB"
	curlLong   = "--output --max-time --connect-timeout --retry --retry-delay --retry-max-time --output-dir --write-out --dump-header --cookie-jar --max-redirs " +
		"--max-filesize --proto --cacert --limit-rate --speed-limit --speed-time --continue-at --data --data-ascii --data-binary --data-raw --data-urlencode " +
		"--form --form-string --header --user --user-agent --referer --cookie --request --upload-file --json --url --url-query --proxy --proxy-user " +
		"--proxy-header --preproxy --socks4 --socks4a --socks5 --socks5-hostname --doh-url --config --resolve --connect-to --interface --unix-socket " +
		"--abstract-unix-socket --range --cert --cert-type --key --key-type --pass --ciphers --capath --oauth2-bearer --aws-sigv4 --time-cond --quote " +
		"--telnet-option --mail-from --mail-rcpt --mail-auth --netrc-file --dns-servers --local-port --noproxy --stderr --trace --trace-ascii --keepalive-time " +
		"--proto-default --proto-redir --tls-max --expect100-timeout --variable --rate --hsts --alt-svc --etag-save --etag-compare --create-file-mode --crlfile " +
		"--curves --delegation --dns-interface --dns-ipv4-addr --dns-ipv6-addr --egd-file --engine --ftp-account --ftp-alternative-to-user --ftp-method " +
		"--ftp-port --ftp-ssl-ccc-mode --happy-eyeballs-timeout-ms --hostpubmd5 --hostpubsha256 --krb --libcurl --login-options --parallel-max --pinnedpubkey " +
		"--proxy-cacert --proxy-capath --proxy-cert --proxy-cert-type --proxy-ciphers --proxy-crlfile --proxy-key --proxy-key-type --proxy-pass " +
		"--proxy-pinnedpubkey --proxy-service-name --proxy-tls13-ciphers --proxy-tlsauthtype --proxy-tlspassword --proxy-tlsuser --proxy1.0 --pubkey " +
		"--random-file --request-target --sasl-authzid --service-name --socks5-gssapi-service --tftp-blksize --tls13-ciphers --tlsauthtype --tlspassword " +
		"--tlsuser"
	wgetLong = "--output-document --tries --timeout --directory-prefix --level --output-file --append-output --header --post-data --post-file --body-data --body-file " +
		"--method --user --password --http-user --http-password --user-agent --referer --execute --input-file --base --load-cookies --save-cookies " +
		"--certificate --private-key --ca-certificate --wait --waitretry --quota --limit-rate --domains --exclude-domains --accept --reject --config " +
		"--bind-address --proxy-user --proxy-password --report-speed --rejected-log --retry-on-http-error --start-pos --progress --dns-timeout " +
		"--connect-timeout --read-timeout --restrict-file-names --prefer-family --use-askpass --local-encoding --remote-encoding --cut-dirs --default-page " +
		"--compression --secure-protocol --certificate-type --private-key-type --ca-directory --crl-file --pinnedpubkey --ciphers --ftp-user --ftp-password " +
		"--warc-file --warc-header --warc-max-size --warc-dedup --warc-tempdir --backups --accept-regex --reject-regex --regex-type --follow-tags --ignore-tags " +
		"--include-directories --exclude-directories"
)

// transfers determines the destinations of a curl or wget command.
func transfers(name string, args []Word) (list []Sending) {
	valued, long := curlValued, curlLong
	if name != "curl" {
		valued, long = wgetValued, wgetLong
	}
	var addresses []string
	more := false
	eachOption(args, valued, long, func(option string, value Word) {
		switch {
		case option == "" || option == "--url":
			addresses = append(addresses, value.Text)
		case goesThrough(name, option):
			list = append(list, toAddress(value.Text, true)...)
		case listsAddresses(name, option):
			list = append(list, somewhere...)
		case saysMore(name, option):
			more = true
		}
	})
	for _, text := range addresses {
		list = append(list, toAddress(text, more)...)
	}
	return list
}

// goesThrough reports whether an option's value names a proxy or a DNS server.
func goesThrough(name, option string) bool {
	switch option {
	case "-x":
		return name == "curl"
	case "--proxy":
		return name == "curl"
	case "--preproxy", "--socks4", "--socks4a", "--socks5", "--socks5-hostname", "--doh-url", "--dns-servers":
		return true
	}
	return false
}

// listsAddresses reports whether an option can make curl or wget contact hosts that are not in the
// arguments.
func listsAddresses(name, option string) bool {
	switch option {
	case "-K", "--resolve", "--connect-to":
		return name == "curl"
	case "--config":
		return true
	case "-i", "--input-file", "-e", "--execute", "-B", "--base":
		return name != "curl"
	}
	return false
}

func saysMore(name, option string) bool {
	switch option {
	case "-d", "-b", "-T", "-t", "-P", "-r", "-x", "-U", "-H":
		return name == "curl" || option == "-U"
	}
	return !slices.Contains(strings.Fields(dataFreeOptions), option)
}

// httpieHosts returns the destinations that httpie or a similar program contacts. The operands are
// "[METHOD] address [item…]".
func httpieHosts(args []Word) (list []Sending) {
	var words []Word
	eachOption(args, "aApos", "--auth --auth-type --print --output --session --proxy --verify --timeout --cert --cert-key --default-scheme --raw --session-read-only --ssl --ciphers --max-redirects --max-headers --cert-key-pass --boundary --pretty --style --format-options --response-charset --response-mime --history-print", func(option string, value Word) {
		if option == "--proxy" {
			_, proxy, _ := strings.Cut(value.Text, ":") // http:http://…
			list = append(list, toAddress(proxy, true)...)
		}
		if option == "" {
			words = append(words, value)
		}
	})
	if len(words) > 1 && words[0].Text != "" && strings.Trim(words[0].Text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
		words = words[1:]
	}
	if len(words) == 0 || strings.HasPrefix(words[0].Text, ":") { // a port on this machine
		return list
	}
	return append(list, toAddress(words[0].Text, true)...)
}

// codeSends records the URLs that a program's literals contain, if the program uses the network.
func (r *codeReader) codeSends() {
	uses := false
	for n, t := range r.list {
		uses = uses || t.kind == nameToken && networked(t.text) || t.kind == literal && r.name(n-2) == "require" && networked(strings.TrimPrefix(t.text, "node:"))
	}
	for _, t := range r.list {
		if scheme, _, web := strings.Cut(t.text, "://"); uses && t.kind == literal && web && len(scheme) > 1 && strings.Trim(strings.ToLower(scheme), "abcdefghijklmnopqrstuvwxyz+") == "" {
			for _, sending := range toAddress(t.text, true) {
				sending.Part = r.part.String()
				r.report.sends = append(r.report.sends, sending)
			}
		}
	}
}

// networked returns true for names that belong to network libraries.
func networked(name string) bool {
	first, _, _ := strings.Cut(name, ".")
	switch first {
	case "urllib", "urllib2", "urllib3", "requests", "httpx", "aiohttp", "urlopen", "urlretrieve", "socket", "smtplib", "ftplib", "websocket", "websockets", "paramiko",
		"fetch", "axios", "got", "http", "https", "http2", "net", "undici", "XMLHttpRequest", "WebSocket",
		"LWP", "HTTP", "Net", "URI", "open_uri", "Faraday", "RestClient", "file_get_contents", "curl_init", "curl_setopt", "fsockopen":
		return true
	}
	return false
}
