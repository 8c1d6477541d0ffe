__constant char header_name[] = __FILE__;
