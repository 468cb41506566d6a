// Package spelling expands quotes, escapes and braces of bash words.
package spelling
