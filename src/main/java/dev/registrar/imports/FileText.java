package dev.registrar.imports;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The text of a file: in UTF-8, in UTF-16 with a byte order mark, or, if it is neither, in Windows-1252.
 *
 * @param text without a byte order mark; empty if there is a fault
 * @param charset in which the file is; UTF-8 if there is a fault
 * @param fault what the file is instead of text; null if it is text
 */
public record FileText(
        String text, Charset charset, @Nullable String fault) {
    private static final Charset WINDOWS_1252 = Charset.forName("windows-1252");
    private static final String MARK = "\uFEFF";

    /** Decodes a file. */
    public static FileText of(byte[] file) {
        if (begins(file, 'P', 'K', 3, 4)) {
            return faulty("This is a workbook (xlsx) or another zip file; save it as CSV");
        }
        if (begins(file, 0xD0, 0xCF, 0x11, 0xE0)) {
            return faulty("This is a workbook of an old format (xls); save it as CSV");
        }
        if (begins(file, 0xFF, 0xFE) || begins(file, 0xFE, 0xFF)) {
            return decoded(file, StandardCharsets.UTF_16, "The file begins as UTF-16, but is not in it");
        }
        try {
            return of(file, StandardCharsets.UTF_8);
        } catch (CharacterCodingException other) {
            return decoded(file, WINDOWS_1252, "The file is not text in UTF-8, UTF-16 or Windows-1252");
        }
    }

    private static boolean begins(byte[] file, int... first) {
        for (int i = 0; i < first.length; i++) {
            if (i == file.length || Byte.toUnsignedInt(file[i]) != first[i]) {
                return false;
            }
        }
        return true;
    }

    private static FileText decoded(byte[] file, Charset charset, String otherwise) {
        try {
            return of(file, charset);
        } catch (CharacterCodingException malformed) {
            return faulty(otherwise);
        }
    }

    private static FileText of(byte[] file, Charset charset) throws CharacterCodingException {
        String text = charset.newDecoder().decode(ByteBuffer.wrap(file)).toString();
        return new FileText(text.startsWith(MARK) ? text.substring(MARK.length()) : text, charset, null);
    }

    private static FileText faulty(String fault) {
        return new FileText("", StandardCharsets.UTF_8, fault);
    }

    boolean isUnicode() {
        return !charset.equals(WINDOWS_1252);
    }
}
